/// Flow rates of inlets: the profiles against exact ones, the rates in bits, and the flows that they drive.
#include "physics/flow/boundary/inlet_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/flow/boundary/developed_profile.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/solenoidal/prescribed_fluxes.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// A plane mesh as a patch; walls touch it where `is_wall` holds on its rim.
std::vector<PatchFace> patch_of(const MeshSource& plane, const std::function<bool(const Vec3&)>& is_wall) {
  std::vector<char> on_rim(plane.points.size(), 0);
  for (const int n : plane.boundary_faces) on_rim[n] = 1;
  std::vector<PatchFace> patch;
  for (int c = 0; c < plane.cell_count(); ++c) {
    PatchFace face{c, {}, {}, {}, Vec3{0, 0, 1}, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const int n = plane.points_of_cell(c)[k];
      face.node[k] = n;
      face.corner[k] = plane.points[n];
      face.on_wall[k] = on_rim[n] && is_wall(plane.points[n]);
    }
    face.area = norm(cross(face.corner[1] - face.corner[0], face.corner[2] - face.corner[0])) / 2;
    patch.push_back(face);
  }
  return patch;
}

bool everywhere(const Vec3&) { return true; }

InletRate rate_of(real rate, ProfileShape shape = ProfileShape::developed) { return {Coefficient<real>(rate), shape}; }

/// Root mean square over the patch of the velocity at the centres of faces less the exact one.
real error_on(const std::vector<PatchFace>& patch, const std::function<real(const Vec3&)>& exact) {
  const InletProfile profile(patch, 3, rate_of(1), "p");
  real sum = 0, area = 0;
  for (const PatchFace& face : patch) {
    const Vec3 centre = (face.corner[0] + face.corner[1] + face.corner[2]) / 3;
    const real off = profile.at(std::array{BoundaryPlace{0, centre, face.id}})[0].z - exact(centre);
    sum += face.area * off * off;
    area += face.area;
  }
  return std::sqrt(sum / area);
}

TEST(InletProfile, ConvergesToHagenPoiseuille) {
  const auto error = [](int n) {  // squares around the centre become circles
    const MeshSource disc = moved(unit_square(n), [](const Vec3& x) {
      const Vec3 from{2 * x.x - 1, 2 * x.y - 1, 0};
      const real size = std::max(std::abs(from.x), std::abs(from.y));
      return size == 0 ? Vec3{} : size / norm(from) * from;
    });
    return error_on(patch_of(disc, everywhere), [](const Vec3& x) { return 2 * (1 - dot(x, x)) / pi; });
  };
  const real coarse = error(12), fine = error(24), finest = error(48);
  EXPECT_GE(rate(coarse, fine, 2), 1.9) << coarse << " " << fine;
  EXPECT_GE(rate(fine, finest, 2), 1.9) << fine << " " << finest;
  EXPECT_LE(finest, 2.5e-4);
}

TEST(InletProfile, ConvergesToTheSeriesOfASquareDuct) {
  const auto exact = [](const Vec3& x) {  // White 2006, equation 3-48
    real sum = 0;
    for (int i = 1, sign = 1; i < 200; i += 2, sign = -sign) {
      const real k = pi * i, far = std::exp(-k / 2);  // cosh(k (y - 1/2)) / cosh(k/2) without overflow
      const real share = (std::exp(k * (x.y - 1)) + std::exp(-k * x.y)) / (1 + far * far);
      sum += sign * (1 - share) * std::cos(k * (x.x - 0.5)) / (i * i * i);
    }
    return 4 * real{28.454153} / (pi * pi * pi) * sum;
  };
  const auto error = [&](int n) { return error_on(patch_of(unit_square(n, 0.2), everywhere), exact); };
  const real coarse = error(16), fine = error(32), finest = error(64);
  EXPECT_GE(rate(coarse, fine, 2), 1.9) << coarse << " " << fine;
  EXPECT_GE(rate(fine, finest, 2), 1.9) << fine << " " << finest;
  EXPECT_LE(finest, 7e-4);
}

TEST(InletProfile, IsFreeBesidePlanesOfSymmetry) {
  const std::vector<PatchFace> patch = patch_of(one_way_square(8), [](const Vec3& x) { return x.y == 0 || x.y == 1; });
  const std::vector<std::array<real, 3>> phi = developed_profile(patch, 3, "p");
  for (std::size_t i = 0; i < patch.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const real y = patch[i].corner[k].y;
      EXPECT_NEAR(phi[i][k], y * (1 - y) / 2, 1e-14);
    }
  }
}

TEST(InletProfile, RefusesAPatchWithoutWallsAndAShapeThatDoesNotEnter) {
  const std::vector<PatchFace> patch = patch_of(unit_square(3), [](const Vec3&) { return false; });
  const auto fault = [&](const InletRate& given) -> std::string {
    try {
      const InletProfile profile(patch, 3, given, "case.toml: [boundary.a] profile");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(fault(rate_of(1)),
            "case.toml: [boundary.a] profile = \"developed\": no wall touches the patch around (0, 0, 0): take "
            "\"uniform\" or a formula");
  InletRate shape = rate_of(1, ProfileShape::formula);
  shape.formula = Coefficient<real>::of_place([](const Vec3& x) { return x.x - 0.75; });
  EXPECT_EQ(fault(shape),
            "case.toml: [boundary.a] profile: its integral over the patch is -0.25, expected a number "
            "greater than 0");
  EXPECT_EQ(fault(rate_of(1, ProfileShape::uniform)), "");
}

/// On the left side of the square the parabola enters: its fluxes and its velocities are exact.
TEST(InletProfile, IsTheParabolaInThePlane) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), with_patches(unit_square(7, 0.2), side_of_square), p.partition);
    const FlowBoundaries boundaries = conditions(*mesh, {{"left", Inlet{{}, rate_of(3)}}, {"right", Outlet{}}});
    BoundaryFaces faces(*mesh, boundaries);
    faces.sample(0);
    const std::vector<BoundaryPlace> places = places_on_boundary(*mesh);
    const std::vector<Vec3> u = sample_velocity(boundaries, places, 0);
    const auto below = [](real y) { return 3 * y * y * (3 - 2 * y); };  // flow rate below y
    for (std::size_t i = 0; i < static_cast<std::size_t>(mesh->boundary().size()); ++i) {
      const BoundaryFace& b = mesh->boundary()[i];
      if (mesh->part().patches[b.patch] != "left") continue;
      const Vec3 &from = places[2 * i].at, &to = places[2 * i + 1].at;
      EXPECT_NEAR(-b.orientation * faces.fluxes()[i], std::abs(below(to.y) - below(from.y)), 1e-14) << p.name;
      const Vec3 between = (3 * from + to) / 4;
      const Vec3 there = sample_velocity(
          boundaries, std::array{BoundaryPlace{b.patch, between, mesh->numbering<Face>().global_id[b.face]}}, 0)[0];
      for (const auto& [x, found] : {std::pair(from, u[2 * i]), {to, u[2 * i + 1]}, {between, there}}) {
        EXPECT_NEAR(found.x, 18 * x.y * (1 - x.y), 1e-13) << p.name;
        EXPECT_EQ(found.y, 0);
      }
    }
  }
}

/// Shapes of flow rates through the left side of the square or cube.
std::vector<InletRate> shapes(const Coefficient<real>& rate) {
  return {{rate, ProfileShape::uniform},
          {rate, ProfileShape::developed},
          {rate, ProfileShape::formula, Coefficient<real>::of_place([](const Vec3& x) { return x.y * x.y * x.y; })}};
}

std::map<std::int64_t, real> fluxes_by_id(const LocalMesh& mesh, const InletRate& rate) {
  const FlowBoundaries boundaries = conditions(mesh, {{"left", Inlet{{}, rate}}, {"right", Outlet{}}});
  BoundaryFaces faces(mesh, boundaries);
  faces.sample(0);
  std::map<std::int64_t, real> by_id;
  for (std::size_t i = 0; i < faces.fluxes().size(); ++i) {
    by_id[mesh.numbering<Face>().global_id[mesh.boundary()[i].face]] = faces.fluxes()[i];
  }
  return by_id;
}

TEST(InletProfile, IsTheSameInBitsOnAnyPartition) {
  for (const MeshSource& source :
       {with_patches(unit_square(9, 0.3), side_of_square), with_patches(unit_cube(4, 0.2), side_of_cube)}) {
    const auto whole = make_mesh(alone(), source);
    for (const InletRate& rate : shapes(real{0.7})) {
      const std::map<std::int64_t, real> expected = fluxes_by_id(*whole, rate);
      for (const NamedPartitioner& p : partitioners()) {
        const auto mesh = make_mesh(Comm(), source, p.partition);
        for (const auto& [id, flux] : fluxes_by_id(*mesh, rate)) EXPECT_EQ(flux, expected.at(id)) << p.name;
      }
    }
  }
}

/// Rates that the fluxes' grid has are met in bits, others are rounded once.
TEST(InletProfile, TheFacesLetInTheFlowRateInBits_Steps) {
  for (const MeshSource& source :
       {with_patches(unit_square(9, 0.3), side_of_square), with_patches(unit_cube(4, 0.2), side_of_cube)}) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      for (const real given : {real{0.75}, real{0.7}, real{-0.3}}) {
        for (const InletRate& rate : shapes(given)) {
          FlowStepSettings settings = open_settings(0.1);
          settings.method = method;
          const auto flow = make_flow_step(
              mesh, settings, conditions(mesh, {{"left", Inlet{{}, rate}}, {"right", Outlet{}}}), 0, &problem.wide);
          flow->start_from_rest();
          flow->advance(0.01);
          const real found = -outflow(mesh, flow->state().flux, "left");
          if (given == 0.75) {
            EXPECT_EQ(found, given);
          } else {
            EXPECT_NEAR(found, given, 1.5e-14);
          }
          EXPECT_EQ(found, outflow(mesh, flow->state().flux, "right"));
          EXPECT_EQ(max_divergence(flow->state().flux), 0);
        }
      }
    }
  }
}

TEST(InletProfile, AHoleLetsInItsFlowRateInBits) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(9), side_of_square));
  const LocalMesh& mesh = *problem.mesh;
  const InletRate rate{Coefficient<real>::of_time([](real t) { return 0.75 + 0.25 * std::floor(t); })};
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    FlowStepSettings settings = open_settings(0.1);
    settings.method = method;
    const auto flow = make_flow_step(mesh, settings, conditions(mesh, {{"hole", Inlet{{}, rate}}, {"right", Outlet{}}}),
                                     0, &problem.wide);
    flow->start_from_rest();
    for (const real expected : {0.75, 1.0}) {
      flow->advance(0.6);
      EXPECT_EQ(outflow(mesh, flow->state().flux, "hole"), -expected);
      EXPECT_EQ(outflow(mesh, flow->state().flux, "right"), expected);
      EXPECT_EQ(max_divergence(flow->state().flux), 0);
    }
  }
}

/// Without outlets the fluxes of a prescribed velocity balance those of the flow rate, which stays as it is.
TEST(InletProfile, KeepsTheFlowRateBesideAnInexactOutflow) {
  const FlowProblem problem(Comm(), with_patches(unit_cube(4, 0.2), side_of_cube));
  const LocalMesh& mesh = *problem.mesh;
  const auto leaving = [](const Vec3& x) { return Vec3{0.75 * (1 + 1e-8) + std::sin(2 * pi * x.y) / 2, 0, 0}; };
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    FlowStepSettings settings = open_settings(0.1);
    settings.method = method;
    const auto flow = make_flow_step(mesh, settings,
                                     conditions(mesh, {{"left", Inlet{{}, rate_of(0.75)}},
                                                       {"right", Farfield{Coefficient<Vec3>::of_place(leaving)}}}),
                                     0, &problem.wide);
    flow->start_from_rest();
    flow->advance(0.01);
    EXPECT_EQ(outflow(mesh, flow->state().flux, "left"), -0.75);
    EXPECT_EQ(outflow(mesh, flow->state().flux, "right"), 0.75);
    EXPECT_EQ(max_divergence(flow->state().flux), 0);
  }
}

/// Also in the plane, where the inlet has the largest flux of a face. The sum over a patch is within a spacing there.
TEST(InletProfile, KeepsTheFlowRateBesideAnInexactOutflowInThePlane) {
  const FlowProblem problem(Comm(), with_patches(unit_square(6, 0.2), side_of_square));
  const LocalMesh& mesh = *problem.mesh;
  const auto rising = Coefficient<real>::of_place([](const Vec3& x) { return 1 + 4 * x.y; });
  const InletRate rate{Coefficient<real>(0.75), ProfileShape::formula, rising};
  const FlowBoundaries given =
      conditions(mesh, {{"left", Inlet{{}, rate}}, {"right", Farfield{Vec3{0.75 * (1 + 1e-8), 0, 0}}}});
  const auto flow = make_flow_step(mesh, open_settings(0.1), given, 0, &problem.wide);
  flow->start_from_rest();
  flow->advance(0.01);
  EXPECT_NEAR(outflow(mesh, flow->state().flux, "left"), -0.75, 1e-14);
  EXPECT_EQ(max_divergence(flow->state().flux), 0);
}

/// Each of more than 40 000 faces of an inlet with 2^48 quanta: sums of them exceed 64 bits, differences do not.
TEST(InletProfile, RoundsDifferencesOfSumsBeyondIntegers) {
  EXPECT_EQ(quanta_between(0x1p64, 0x1p64 + 0x1p48), std::int64_t{1} << 48);
  EXPECT_EQ(quanta_between(-0x1p65, -0x1p65 - 0x1p48), -(std::int64_t{1} << 48));
  EXPECT_EQ(quanta_between(-1.5, 2.4), 4);
}

TEST(InletProfile, IsScaledToTheOutflow) {
  for (const MeshSource& source :
       {with_patches(unit_square(6, 0.2), side_of_square), with_patches(unit_cube(3, 0.2), side_of_cube)}) {
    const FlowProblem problem(Comm(), source);
    FlowStepSettings settings = open_settings(0.1);
    settings.scales_inlets = true;
    const auto flow = make_flow_step(
        *problem.mesh, settings,
        conditions(*problem.mesh, {{"left", Inlet{{}, rate_of(3)}}, {"right", Farfield{Vec3{0.75, 0, 0}}}}), 0,
        &problem.wide);
    flow->start_from_rest();
    EXPECT_NEAR(flow->boundaries().inlet_factor(), 0.25, 1e-14);
    EXPECT_NEAR(outflow(*problem.mesh, flow->state().flux, "left"), -0.75, 1e-14);
  }
}

/// A flow rate and the velocity that it stands for drive the same flow, also where they change with time.
TEST(InletProfile, DrivesTheFlowOfItsVelocity) {
  const FlowProblem problem(Comm(), with_patches(unit_square(8, 0.2), side_of_square));
  const LocalMesh& mesh = *problem.mesh;
  const Coefficient<real> rate = Coefficient<real>::of_time([](real t) { return 1 + std::sin(3 * t); });
  const auto speed = [](const Vec3& x, real t) { return Vec3{6 * x.y * (1 - x.y) * (1 + std::sin(3 * t)), 0, 0}; };
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    FlowStepSettings settings = open_settings(0.05);
    settings.method = method;
    const auto by_rate =
        make_flow_step(mesh, settings, conditions(mesh, {{"left", Inlet{{}, shapes(rate)[1]}}, {"right", Outlet{}}}), 0,
                       &problem.wide);
    const auto by_velocity = make_flow_step(
        mesh, settings,
        conditions(mesh, {{"left", Inlet{Coefficient<Vec3>::of_place_and_time(speed)}}, {"right", Outlet{}}}), 0,
        &problem.wide);
    for (FlowStep* const flow : {by_rate.get(), by_velocity.get()}) {
      flow->start_from_rest();
      for (int k = 0; k < 6; ++k) {
        flow->advance(0.02);
        EXPECT_NEAR(outflow(mesh, flow->state().flux, "left"), -1 - std::sin(3 * flow->time()), 1e-13);
      }
    }
    Field<Face> difference(mesh);
    difference = by_rate->state().flux - by_velocity->state().flux;
    EXPECT_LE(max_magnitude(difference), 1e-11);
  }
}

TEST(InletProfile, DrivesTheDevelopedFlowOfADuct_Long) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    const DuctErrors coarse = errors_in_duct(unit_cube(4, 0.1), method, DiffusionForm::stress, rate_of(1)),
                     fine = errors_in_duct(unit_cube(8, 0.1), method, DiffusionForm::stress, rate_of(1));
    EXPECT_GE(rate(coarse.at_inlet, fine.at_inlet, 2), 1.8) << coarse.at_inlet << " " << fine.at_inlet;
    EXPECT_GE(rate(coarse.at_outlet, fine.at_outlet, 2), 1.8) << coarse.at_outlet << " " << fine.at_outlet;
    EXPECT_GE(rate(coarse.at_faces, fine.at_faces, 2), 1.8) << coarse.at_faces << " " << fine.at_faces;
  }
}

}  // namespace
}  // namespace solenoid::test
