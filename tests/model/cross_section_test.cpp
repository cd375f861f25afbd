/// Sections: every one across a duct carries its flux, linear functions have exact means, a face in the plane counts
/// once, and all of it is the same on any partition.
#include "model/cross_section.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "support/exact_sums.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

const std::vector<std::string> no_solids;

Plane plane_of(const Vec3& point, const Vec3& direction) { return {point, direction / norm(direction)}; }

CrossSection section_at(const LocalMesh& mesh, const Plane& plane, const std::optional<PlaceOfPoints>& within = {}) {
  return {mesh, plane, within, no_solids, "case.toml: [[section]] `a`"};
}

/// Planes across the unit square or cube along x: through nodes, through faces, between them, and inclined.
std::vector<Plane> planes_across(int dimension) {
  std::vector<Plane> planes;
  for (const real x : {0.001, 0.1, 0.25, 1.0 / 3, 0.5, 0.75, 0.987}) planes.push_back({{x, 0, 0}, {1, 0, 0}});
  planes.push_back(plane_of({0.5, 0.5, 0.5}, {1, 0.7, 0}));
  planes.push_back(plane_of({0.5, 0.5, 0.5}, {1, -0.4, dimension == 2 ? real{0} : real{0.5}}));
  return planes;
}

Quantity quantity_of(Field<Node>& values) { return quantity_at_nodes({"T", "T", "K"}, values); }
Quantity quantity_of(Field<Cell>& values) {
  return {{"p", "p", "m^2/s^2", ValuesAt::cells}, false, [&values]() -> Evaluated { return halo(values), &values; }};
}

/// A divergence-free flux along x, 1 times the depth in all, with a random part that has no flux through the boundary.
Field<Face> flux_in_duct(const LocalMesh& mesh) {
  Field<Edge> potential = scattered_field<Edge>(mesh);
  std::vector<real> values = potential.to_host();
  for (const BoundaryFace& b : mesh.boundary()) {
    const bool planar = mesh.dimension() == 2;
    for (const int e : planar ? mesh.part().face_nodes_of(b.face) : mesh.part().face_edges_of(b.face)) {
      if (e < mesh.owned<Edge>()) values[e] = 0;
    }
  }
  potential.from_host(values);
  Field<Face> flux = constant_flux(mesh, {1, 0, 0});
  flux = operand(flux) + mesh.C * halo(potential);
  return flux;
}

Field<Cell, Vec3> velocity_of(Field<Face>& flux) {
  Field<Cell, Vec3> velocity(flux.mesh());
  interpolate(halo(flux), velocity);
  halo(velocity);
  return velocity;
}

Field<Cell, Vec3> velocity_in_cells(const LocalMesh& mesh, const std::function<Vec3(const Vec3&)>& of_centre) {
  std::vector<Vec3> values;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) values.push_back(of_centre(mesh.geometry().cell_centre[c]));
  Field<Cell, Vec3> velocity(mesh, values);
  halo(velocity);
  return velocity;
}

TEST(CrossSection, EverySectionOfADuctCarriesItsFlux) {
  for (const int d : {2, 3}) {
    for (const NamedMesh& kind : kinds_of_meshes(d, d == 2 ? 12 : 4)) {
      const auto mesh = make_mesh(Comm(), kind.mesh);
      Field<Face> flux = flux_in_duct(*mesh);
      const Field<Cell, Vec3> velocity = velocity_of(flux);
      for (const Plane& plane : planes_across(d)) {
        if (kind.depth < 1 && plane.normal.x < 1) continue;
        const SectionFigures found = section_at(*mesh, plane).figures(velocity, {});
        EXPECT_NEAR(found.flux, kind.depth, 1e-13) << kind.name << " in " << d << "D at " << plane.point.x;
        EXPECT_GT(found.speed, 1);
        EXPECT_GT(found.backflow, 0.01);
        EXPECT_LT(found.backflow, 0.5);
      }
    }
  }
}

TEST(CrossSection, HasTheAreaAndExactMeansOfLinearFunctions) {
  const auto linear = [](const Vec3& x) { return 3 + 2 * x.x - x.y + x.z / 2; };
  for (const int d : {2, 3}) {
    for (const NamedMesh& kind : kinds_of_meshes(d, d == 2 ? 9 : 4)) {
      if (kind.depth < 1) continue;
      const auto mesh = make_mesh(Comm(), kind.mesh);
      auto at_nodes = sampled_field<Node>(*mesh, linear);
      auto in_cells = sampled_field<Cell>(*mesh, linear);
      const auto stream = velocity_in_cells(*mesh, [](const Vec3&) { return Vec3{2, 0, 0}; });
      for (const Plane& plane : planes_across(d)) {
        const CrossSection section = section_at(*mesh, plane);
        const Vec3 centre{plane.normal.x < 1 ? real{0.5} : plane.point.x, 0.5, d == 2 ? real{0} : real{0.5}};
        const std::string where = kind.name + " at " + text_of_place(plane.point);
        EXPECT_NEAR(section.area(), 1 / plane.normal.x, 1e-12) << where;
        const SectionFigures found = section.figures(stream, {quantity_of(at_nodes), quantity_of(in_cells)});
        EXPECT_NEAR(found.flux, 2, 1e-12) << where;
        EXPECT_NEAR(found.speed, 2, 1e-12) << where;
        EXPECT_EQ(found.backflow, 0) << where;
        ASSERT_EQ(found.means.size(), 2u);
        for (const auto& [by_area, by_flux] : found.means) {
          EXPECT_NEAR(by_area, linear(centre), 1e-11) << where;
          EXPECT_NEAR(by_flux, linear(centre), 1e-11) << where;
        }
      }
    }
  }
}

/// On planes of faces, at both ends, and whichever way the normal points.
TEST(CrossSection, CountsAFaceInThePlaneOnce) {
  for (const MeshSource& source : {unit_square(6), unit_cube(3), five_in_a_cube(4)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const auto stream = velocity_in_cells(*mesh, [](const Vec3&) { return Vec3{1, 1, 0}; });
      const int steps = source.cell_count() == 5 * 64 ? 4 : 6 / (mesh->dimension() - 1);
      for (int k = 0; k <= steps; ++k) {
        for (const real off : {0.0, 1e-15, -1e-15}) {
          const real place = static_cast<real>(k) / static_cast<real>(steps) + off;
          for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}}) {
            const CrossSection section = section_at(*mesh, {{place, place, 0}, normal});
            EXPECT_NEAR(section.area(), 1, round_off) << p.name << " at " << place;
            EXPECT_NEAR(section.figures(stream, {}).flux, normal.x + normal.y, round_off) << p.name << " at " << place;
          }
        }
      }
    }
  }
}

/// Behind a fluid that turns back in the lowest quarter, T = y at the nodes: by hand.
TEST(CrossSection, WeighsWithTheFluxThatHasItsSign) {
  const auto mesh = make_mesh(Comm(), unit_square(8));
  const auto velocity = velocity_in_cells(*mesh, [](const Vec3& x) {
    return Vec3{x.y < 0.25 ? real{-1} : real{1}, 0, 0};
  });
  auto height = sampled_field<Node>(*mesh, [](const Vec3& x) { return x.y; });
  for (const real x : {0.3, 0.5}) {
    const SectionFigures found = section_at(*mesh, {{x, 0, 0}, {1, 0, 0}}).figures(velocity, {quantity_of(height)});
    EXPECT_NEAR(found.flux, 0.5, round_off);
    EXPECT_NEAR(found.speed, 1, round_off);
    EXPECT_NEAR(found.backflow, 0.25, round_off);
    EXPECT_NEAR(found.means[0].by_area, 0.5, round_off);
    EXPECT_NEAR(found.means[0].by_flux, (0.5 - 2 * 0.25 * 0.125) / 0.5, round_off);
  }
  const auto rest = velocity_in_cells(*mesh, [](const Vec3&) { return Vec3{}; });
  const SectionFigures at_rest = section_at(*mesh, {{0.3, 0, 0}, {1, 0, 0}}).figures(rest, {quantity_of(height)});
  EXPECT_EQ(at_rest.flux, 0);
  EXPECT_EQ(at_rest.backflow, 0);
  EXPECT_NEAR(at_rest.means[0].by_flux, 0.5, round_off);
}

/// Either branch beside a hole, and both together.
TEST(CrossSection, IsLimitedToAPartOfThePlane) {
  const auto mesh = make_mesh(Comm(), square_with_hole(9));
  const auto stream = velocity_in_cells(*mesh, [](const Vec3&) { return Vec3{1, 0, 0}; });
  const Plane middle{{0.5, 0, 0}, {1, 0, 0}};
  const BallOfPoints below{{0.5, 0.1, 0}, real{0.3}};
  const BoxOfPoints above{{0, 0.6, -1}, {1, 1, 1}};
  EXPECT_NEAR(section_at(*mesh, middle).area(), 2.0 / 3, round_off);
  EXPECT_NEAR(section_at(*mesh, middle, below).area(), 1.0 / 3, round_off);
  EXPECT_NEAR(section_at(*mesh, middle, above).figures(stream, {}).flux, 1.0 / 3, round_off);
}

TEST(CrossSection, OfPatchesHasTheFluxOutOfThem) {
  for (const MeshSource& source : {unit_square(7, 0.3), unit_cube(4, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const int d = source.dimension;
      const auto mesh = make_mesh(Comm(), with_patches(source, d == 2 ? side_of_square : side_of_cube), p.partition);
      Field<Face> flux = flux_in_duct(*mesh);
      const Field<Cell, Vec3> velocity = velocity_of(flux);
      auto height = sampled_field<Node>(*mesh, [](const Vec3& x) { return x.y; });
      BoundaryField<real> on_faces(*mesh);
      on_faces.from_host(std::vector<real>(on_faces.size(), 7));
      const Quantity constant{
          {"p", "p", "m^2/s^2", ValuesAt::boundary_faces}, false, [&]() -> Evaluated { return &on_faces; }};
      for (const auto& [patch, expected] : {std::pair("left", -1), std::pair("right", 1)}) {
        const CrossSection section(*mesh, places_of_patch(*mesh, patch), no_solids, "");
        const SectionFigures found = section.figures(velocity, {quantity_of(height), constant});
        EXPECT_NEAR(section.area(), 1, round_off) << patch;
        EXPECT_NEAR(found.flux, expected, round_off) << patch;
        EXPECT_NEAR(found.flux, outflow(*mesh, flux, patch), round_off) << patch;
        EXPECT_NEAR(found.means[0].by_area, 0.5, round_off) << patch;
        EXPECT_NEAR(found.means[1].by_area, 7, 10 * round_off) << patch;
        EXPECT_NEAR(found.means[1].by_flux, 7, 10 * round_off) << patch;
      }
    }
  }
}

/// A plane through the faces of a pair, on either patch and between them.
TEST(CrossSection, AtAPeriodicPairCountsOnce) {
  MeshSource source = with_patches(unit_square(6, 0.3), side_of_square);
  source.pairs = {{"left", "right"}};
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), source, p.partition);
    Field<Face> flux = flux_in_duct(*mesh);
    const Field<Cell, Vec3> velocity = velocity_of(flux);
    for (const real x : {0.0, 0.41, 1.0}) {
      const CrossSection section = section_at(*mesh, {{x, 0, 0}, {1, 0, 0}});
      EXPECT_NEAR(section.area(), 1, round_off) << p.name << " at " << x;
      EXPECT_NEAR(section.figures(velocity, {}).flux, 1, round_off) << p.name << " at " << x;
    }
  }
}

/// Solids have no part in it, also where the fluid's neighbour across a plane of faces is one.
TEST(CrossSection, LeavesSolidsOut) {
  const auto is_upper = [](const Vec3& x) { return x.y > 0.5; };
  const auto mesh = make_mesh(Comm(), with_solid(unit_square(6), is_upper, "plate"));
  const auto stream = velocity_in_cells(*mesh, [](const Vec3& x) { return Vec3{x.y < 0.5 ? real{1} : real{0}, 0, 0}; });
  auto pressure = sampled_field<Cell>(*mesh, [](const Vec3& x) { return x.y < 0.5 ? 4 - x.x : 0; });
  const CrossSection across(*mesh, {{0.4, 0, 0}, {1, 0, 0}}, {}, {"plate"}, "");
  const SectionFigures found = across.figures(stream, {quantity_of(pressure)});
  EXPECT_NEAR(across.area(), 0.5, round_off);
  EXPECT_NEAR(found.flux, 0.5, round_off);
  EXPECT_NEAR(found.means[0].by_area, 3.6, 10 * round_off);
  for (const real up : {1, -1}) {
    EXPECT_NEAR(CrossSection(*mesh, {{0, 0.5, 0}, {0, up, 0}}, {}, {"plate"}, "").area(), 1, round_off);
  }
  EXPECT_THROW(CrossSection(*mesh, {{0, 0.8, 0}, {0, 1, 0}}, {}, {"plate"}, ""), Error);
}

/// All figures of all planes, with exact sums.
std::vector<real> all_figures(const LocalMesh& mesh) {
  Field<Face> flux = flux_in_duct(mesh);
  const Field<Cell, Vec3> velocity = velocity_of(flux);
  auto at_nodes = scattered_field<Node>(mesh, 1);
  auto in_cells = scattered_field<Cell>(mesh, 2);
  std::vector<real> all;
  for (const Plane& plane : planes_across(mesh.dimension())) {
    const CrossSection section = section_at(mesh, plane);
    const SectionFigures found = section.figures(velocity, {quantity_of(at_nodes), quantity_of(in_cells)});
    all.insert(all.end(), {section.area(), found.flux, found.speed, found.backflow});
    for (const auto& [by_area, by_flux] : found.means) all.insert(all.end(), {by_area, by_flux});
  }
  return all;
}

TEST(CrossSection, HasTheSameBitsOnAnyPartition) {
  const ExactSums exact;
  for (const MeshSource& source : {unit_square(9, 0.3), unit_cube(4, 0.2), unit_cube(4)}) {
    const std::vector<real> expected = all_figures(*make_mesh(alone(), source));
    for (const NamedPartitioner& p : all_partitioners()) {
      EXPECT_EQ(all_figures(*make_mesh(Comm(), source, p.partition)), expected) << p.name;
    }
  }
}

/// A flow from rest, by either method.
TEST(CrossSection, CarriesTheInletsFluxInEachStep_Slow) {
  for (const MeshSource& source : {unit_square(8, 0.2), unit_cube(4, 0.15)}) {
    const int d = source.dimension;
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      const FlowProblem problem(Comm(), with_patches(source, d == 2 ? side_of_square : side_of_cube));
      FlowStepSettings settings = open_settings(0.1, 1e-6);
      settings.method = method;
      const auto profile = [](const Vec3& x) { return Vec3{6 * x.y * (1 - x.y), 0, 0}; };
      const auto flow = make_flow_step(
          *problem.mesh, settings,
          conditions(*problem.mesh, {{"left", Inlet{Coefficient<Vec3>::of_place(profile)}}, {"right", Outlet{}}}), 0,
          &problem.wide);
      flow->start_from_rest();
      const real inlet = -outflow(*problem.mesh, flow->state().flux, "left");
      EXPECT_GT(inlet, 0.5);
      std::vector<CrossSection> sections;
      for (const Plane& plane : planes_across(d)) sections.push_back(section_at(*problem.mesh, plane));
      for (int step = 0; step < 3; ++step) {
        if (step > 0) flow->advance(0.01);
        halo(flow->state().velocity);
        for (const CrossSection& section : sections) {
          EXPECT_NEAR(section.figures(flow->state().velocity, {}).flux, inlet, 1e-13) << d << "D, step " << step;
        }
      }
    }
  }
}

std::string fault_of_section(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_TRUE(error.collective());
    return error.what();
  }
  return "no fault";
}

TEST(CrossSection, NamesAPlaneWithoutFluid) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  EXPECT_EQ(
      fault_of_section([&] {
        section_at(*mesh, {{2, 0.5, 0}, {1, 0, 0}});
      }),
      "case.toml: [[section]] `a`: `plane`: the plane through (2, 0.5) with the normal (1, 0) cuts no cell of the "
      "fluid, which reaches from (0, 0) to (1, 1) m");
  EXPECT_EQ(fault_of_section([&] {
              section_at(*mesh, {{0.5, 0.5, 0}, {0.6, 0, 0.8}});
            }),
            "case.toml: [[section]] `a`: `plane`: the normal points out of the plane of a 2D mesh, expected z = 0");
  EXPECT_EQ(fault_of_section([&] {
              section_at(*mesh, {{0.6, 0, 0}, {1, 0, 0}}, BallOfPoints{{0.6, 2, 0}, real{0.5}});
            }).substr(0, 92),
            "case.toml: [[section]] `a`: `within`: no cell's cut by the plane lies there; the middles of ");
}

}  // namespace
}  // namespace solenoid::test
