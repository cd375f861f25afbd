/// A scalar that a flow carries: constants, ranges, contents, balances and orders.
#include "physics/scalar/scalar_transport.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "support/mesh_kinds.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using enum ScalarConvection;

/// Fluxes of the stream function psi in 2D, or of its rotation about the z-axis in 3D (constant in z), rounded.
Field<Face> flux_around(const LocalMesh& mesh, const std::function<real(const Vec3&)>& psi) {
  Field<Edge> potential(mesh);
  std::vector<real> values;
  const MeshPart& part = mesh.part();
  for (int e = 0; e < potential.owned(); ++e) {
    if (mesh.dimension() == 2) {
      values.push_back(psi(part.points[e]));
    } else {  // the line integral of psi e_z, trapezoidal
      const Vec3 a = part.points[part.edge_nodes_of(e)[0]], b = part.points[part.edge_nodes_of(e)[1]];
      values.push_back((b.z - a.z) * (psi(a) + psi(b)) / 2);
    }
  }
  potential.from_host(values);
  round_to_grid(1, potential);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);
  return flux;
}

/// Nothing crosses the sides of the unit square or cube.
real vortex(const Vec3& x) {
  const real s = std::sin(pi * x.x), t = std::sin(pi * x.y);
  return s * s * t * t / pi;
}

/// All patches alike.
ScalarProblem problem_on(const LocalMesh& mesh, real diffusivity, const NodalBoundary& everywhere) {
  ScalarProblem problem;
  problem.diffusion.conductivity = Coefficient<real>(diffusivity);
  problem.diffusion.heat_capacity = Coefficient<real>(1);
  problem.diffusion.source = Coefficient<real>(0);
  problem.diffusion.boundary.assign(mesh.part().patches.size(), everywhere);
  problem.inflow.resize(mesh.part().patches.size());
  return problem;
}

ScalarSettings settings_for(ScalarConvection form, real tolerance = 1e-12) {
  ScalarSettings settings;
  settings.convection = form;
  settings.solver.tolerance = tolerance;
  return settings;
}

struct Carried {
  std::unique_ptr<LocalMesh> mesh;
  NodePairs pairs;
  DualFluxes duals;
  Carried(const Comm& comm, const MeshSource& source, const std::function<real(const Vec3&)>& psi = vortex,
          const Partitioner& partition = partition_cells)
      : mesh(make_mesh(comm, source, partition)), pairs(*mesh), duals(pairs) {
    Field<Face> flux = flux_around(*mesh, psi);
    duals.set(flux);
  }
};

MeshSource mesh_in(int dimension) { return dimension == 2 ? unit_square(9, 0.3) : unit_cube(4, 0.2); }

class ScalarIn : public testing::TestWithParam<int> {};

TEST_P(ScalarIn, StaysConstantInBits) {
  // Fluid crosses the boundary, and what comes in has the same value.
  Carried carried(Comm(), mesh_in(GetParam()),
                  [](const Vec3& x) { return x.y + x.x * x.y / 2 + std::sin(3 * x.x) / 9; });
  for (const ScalarConvection form : {central, upwind, limited}) {
    for (const bool held : {false, true}) {
      ScalarProblem problem = problem_on(*carried.mesh, 0.01, insulated());
      for (auto& value : problem.inflow) value = Coefficient<real>(0.1);
      if (held) problem.diffusion.boundary[0] = given_temperature(Coefficient<real>(0.1));
      ScalarTransport scalar(carried.pairs, problem, settings_for(form, 1e-3), 0);
      scalar.set_values(Coefficient<real>(0.1));
      for (const real dt : {0.01, 0.01, 0.015, 0.012}) scalar.advance(dt, carried.duals);
      const ScalarTransport::Range range = scalar.range();
      EXPECT_EQ(range.low, real{0.1});
      EXPECT_EQ(range.high, real{0.1});
    }
  }
}

/// A slotted block carried around without diffusion, or with little.
TEST_P(ScalarIn, LimitedStaysInItsRangeAndKeepsItsContent) {
  Carried carried(Comm(), mesh_in(GetParam()));
  for (const real diffusivity : {0.0, 1e-3}) {
    ScalarTransport scalar(carried.pairs, problem_on(*carried.mesh, diffusivity, insulated()), settings_for(limited),
                           0);
    scalar.set_values(Coefficient<real>::of_place(
        [](const Vec3& x) { return x.x > 0.2 && x.x < 0.6 && x.y > 0.3 && x.y < 0.8 ? real{1} : real{0}; }));
    const real before = scalar.content();
    const real dt = scalar.longest_step(carried.duals);
    real lowest = 0, highest = 1;
    for (int step = 0; step < 60; ++step) {
      scalar.advance(dt, carried.duals);
      lowest = std::min(lowest, scalar.range().low);
      highest = std::max(highest, scalar.range().high);
      EXPECT_NEAR(scalar.balance().imbalance(), 0, 1e-13);
    }
    EXPECT_GE(lowest, -1e-14);
    EXPECT_LE(highest, 1 + 1e-14);
    EXPECT_NEAR(scalar.content(), before, 1e-14);
  }
}

/// What comes in through all patches, and out of them, is what is stored.
TEST_P(ScalarIn, BalanceIsClosed) {
  Carried carried(Comm(), mesh_in(GetParam()), [](const Vec3& x) { return x.y + x.x * x.y / 2; });
  for (const ScalarConvection form : {central, upwind, limited}) {
    ScalarProblem problem = problem_on(*carried.mesh, 0.02, given_heat_flux(Coefficient<real>(0.3)));
    problem.diffusion.boundary[0] = given_temperature(Coefficient<real>::of_time([](real t) { return 1 + t; }));
    problem.diffusion.source = Coefficient<real>(0.7);
    for (auto& value : problem.inflow) value = Coefficient<real>::of_time([](real t) { return real{0.4} + t; });
    ScalarTransport scalar(carried.pairs, problem, settings_for(form), 0);
    scalar.set_values(Coefficient<real>::of_place([](const Vec3& x) { return x.x * x.y; }));
    for (const real dt : {0.01, 0.01, 0.012}) {
      const real before = scalar.content();
      scalar.advance(dt, carried.duals);
      const HeatBalance balance = scalar.balance();
      EXPECT_NEAR(balance.imbalance(), 0, 1e-11 * balance.supplied());
      if (form == limited) {
        EXPECT_NEAR(balance.stored, (scalar.content() - before) / dt, 1e-11);
      }
    }
  }
}

TEST_P(ScalarIn, IsTheSameOnAnyPartition) {
  for (const ScalarConvection form : {central, upwind, limited}) {
    const auto run = [&](const Comm& comm, const Partitioner& partition) {
      Carried carried(
          comm, mesh_in(GetParam()), [](const Vec3& x) { return x.y + vortex(x); }, partition);
      ScalarProblem problem = problem_on(*carried.mesh, 0.01, insulated());
      problem.diffusion.boundary[0] = given_temperature(Coefficient<real>(1));
      for (auto& value : problem.inflow) value = Coefficient<real>(0.5);
      ScalarTransport scalar(carried.pairs, problem, settings_for(form), 0);
      scalar.set_values(Coefficient<real>::of_place([](const Vec3& x) { return std::sin(5 * x.x + x.y); }));
      for (int step = 0; step < 5; ++step) scalar.advance(0.02, carried.duals);
      return gather(scalar.values());
    };
    const std::vector<real> expected = run(alone(), partition_cells);
    for (const NamedPartitioner& partitioner : partitioners()) {
      expect_equal(run(Comm(), partitioner.partition), expected, partitioner.name, 1e-11);
    }
  }
}

/// Which side of a box with its corner at the origin: "x0" for the low one across x, "x1" for that beyond.
std::string side_of_box(const Vec3& centre, const Vec3& size) {
  constexpr real near = 1e-9;
  if (centre.x < near) return "x0";
  if (centre.x > size.x - near) return "x1";
  if (centre.y < near) return "y0";
  if (centre.y > size.y - near) return "y1";
  return centre.z < near ? "z0" : "z1";
}

/// How far a linear scalar in a steady stream across the box, which enters by three sides and leaves by the others, is
/// from itself after some steps: held where x = 0, given to what enters where y = 0, and not at all where z = 0.
real drift_of_linear(const NamedMesh& kind, ScalarConvection form, const Partitioner& partition = partition_cells) {
  const bool in_space = kind.mesh.dimension == 3;
  const Vec3 size{1, in_space ? 1 : kind.depth, in_space ? kind.depth : 0};
  const auto name = [&](const Vec3& x) { return side_of_box(x, size); };
  const auto mesh = make_mesh(Comm(), with_patches(kind.mesh, name), partition);
  const NodePairs pairs(*mesh);
  DualFluxes duals(pairs);
  const Vec3 u{0.7, 0.4 * size.y, 0.3 * size.z}, slope{0.5, -1.2 / size.y, in_space ? 0.8 / size.z : 0};
  duals.set(constant_flux(*mesh, u));
  const auto linear = Coefficient<real>::of_place([slope](const Vec3& x) { return 2 + dot(slope, x); });
  constexpr real diffusivity = 1e-3;
  ScalarProblem problem = problem_on(*mesh, diffusivity, insulated());
  problem.diffusion.source = Coefficient<real>(dot(u, slope));
  for (std::size_t p = 0; p < problem.inflow.size(); ++p) {
    const std::string& patch = mesh->part().patches[p];
    const real along = patch[0] == 'x' ? slope.x : patch[0] == 'y' ? slope.y : slope.z;
    problem.diffusion.boundary[p] =
        given_heat_flux(Coefficient<real>(diffusivity * (patch[1] == '1' ? along : -along)));
    if (patch == "x0") problem.diffusion.boundary[p] = given_temperature(linear);
    if (patch == "y0") problem.inflow[p] = linear;
  }
  ScalarTransport scalar(pairs, problem, settings_for(form, 1e-13), 0);
  scalar.set_values(linear);
  const Field<Node> expected = sampled_field<Node>(*mesh, [slope](const Vec3& x) { return 2 + dot(slope, x); });
  for (const real dt : {0.01, 0.01, 0.015, 0.012, 0.01, 0.01}) scalar.advance(dt, duals);
  real farthest = 0;
  const std::vector<real> found = scalar.values().to_host(), wanted = expected.to_host();
  for (std::size_t n = 0; n < found.size(); ++n) farthest = std::max(farthest, std::abs(found[n] - wanted[n]));
  return mesh->comm().max(farthest);
}

TEST_P(ScalarIn, LinearIsKeptThroughOpeningsOnAnyMesh_Long) {
  for (const NamedMesh& kind : kinds_of_meshes(GetParam(), GetParam() == 2 ? 8 : 4)) {
    for (const NamedPartitioner& partitioner : partitioners()) {
      EXPECT_LT(drift_of_linear(kind, central, partitioner.partition), 1e-11) << kind.name << ", " << partitioner.name;
    }
    const bool is_cut = kind.name == "flat" && GetParam() == 2;  // by obtuse angles
    EXPECT_LT(drift_of_linear(kind, limited), is_cut ? 0.01 : 1e-11) << kind.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ScalarIn, testing::Values(2, 3),
                         [](const auto& test) { return std::to_string(test.param) + "D"; });

/// T = (1 + sin(2 t) / 2) cos(pi x) cos(2 pi y) cos(pi z) in the vortex, with the source that this takes.
real known(const Vec3& x, real t) {
  return (1 + std::sin(2 * t) / 2) * std::cos(pi * x.x) * std::cos(2 * pi * x.y) * std::cos(pi * x.z);
}
real source_of_known(const Vec3& x, real t, real diffusivity, int dimension) {
  const real g = 1 + std::sin(2 * t) / 2, cx = std::cos(pi * x.x), cy = std::cos(2 * pi * x.y);
  const real sx = std::sin(pi * x.x), sy = std::sin(pi * x.y);
  const real u = 2 * sx * sx * sy * std::cos(pi * x.y), v = -2 * sx * std::cos(pi * x.x) * sy * sy;
  const real slope_x = -pi * std::sin(pi * x.x) * cy, slope_y = -2 * pi * cx * std::sin(2 * pi * x.y);
  const real of_laplacian = dimension == 2 ? 5 * pi * pi : 6 * pi * pi;
  return std::cos(pi * x.z) *
         (std::cos(2 * t) * cx * cy + g * (u * slope_x + v * slope_y) + diffusivity * of_laplacian * g * cx * cy);
}

real error_of_known(const MeshSource& source, ScalarConvection form, int steps, bool held) {
  constexpr real diffusivity = 0.005, end = 0.5;
  const int dimension = source.dimension;
  Carried carried(Comm(), source);
  ScalarProblem problem = problem_on(*carried.mesh, diffusivity, insulated());
  if (held) {
    problem.diffusion.boundary.assign(carried.mesh->part().patches.size(),
                                      given_temperature(Coefficient<real>::of_place_and_time(known)));
  }
  problem.diffusion.source = Coefficient<real>::of_place_and_time(
      [=](const Vec3& x, real t) { return source_of_known(x, t, diffusivity, dimension); });
  ScalarTransport scalar(carried.pairs, problem, settings_for(form, 1e-10), 0);
  scalar.set_values(Coefficient<real>::of_place([](const Vec3& x) { return known(x, 0); }));
  for (int step = 0; step < steps; ++step) scalar.advance(end / steps, carried.duals);
  const Field<Node> exact = sampled_field<Node>(*carried.mesh, [&](const Vec3& x) { return known(x, end); });
  return distance(gather(scalar.values()), gather(exact));
}
real error_of_known(int n, ScalarConvection form, int steps, bool held) {
  return error_of_known(unit_square(n, 0.3), form, steps, held);
}

TEST(ScalarTransport, CentralConvergesWithOrderTwo_Long) {
  for (const bool held : {false, true}) {
    const real coarse = error_of_known(16, central, 24, held), fine = error_of_known(32, central, 48, held);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << coarse << " " << fine;
    EXPECT_LT(fine, held ? 8e-3 : 1.1e-2);
  }
}

TEST(ScalarTransport, CentralConvergesWithOrderTwoOnMeshesOfAllKinds_Long) {
  for (const int dimension : {2, 3}) {
    const int n = dimension == 2 ? 16 : 6;
    const std::vector<NamedMesh> coarse = kinds_of_meshes(dimension, n), fine = kinds_of_meshes(dimension, 2 * n);
    for (std::size_t k = 0; k < coarse.size(); ++k) {
      if (coarse[k].depth != 1) continue;  // nothing swirls so in a layer of aspect 50
      const real errs = error_of_known(coarse[k].mesh, central, 24, true),
                 less = error_of_known(fine[k].mesh, central, 48, true);
      const real cells = real(fine[k].mesh.cell_count()) / real(coarse[k].mesh.cell_count());
      const real at_least = dimension == 3 && coarse[k].name == "Gmsh's" ? 1.6 : 1.9;  // 1.85 from 2540 cells on
      EXPECT_GT(std::log(errs / less) * dimension / std::log(cells), at_least)
          << coarse[k].name << ": " << errs << " " << less;
    }
  }
}

TEST(ScalarTransport, UpwindConvergesWithOrderOneAndLimitedBetter_Long) {
  const real upwind_coarse = error_of_known(16, upwind, 24, false), upwind_fine = error_of_known(32, upwind, 48, false);
  EXPECT_GT(std::log2(upwind_coarse / upwind_fine), 0.6) << upwind_coarse << " " << upwind_fine;
  const real limited_coarse = error_of_known(16, limited, 24, false),
             limited_fine = error_of_known(32, limited, 48, false);
  EXPECT_GT(std::log2(limited_coarse / limited_fine), 1.5) << limited_coarse << " " << limited_fine;
  EXPECT_LT(limited_fine, upwind_fine / 5);
}

TEST(ScalarTransport, ConvergesInTimeWithOrderTwo_Long) {
  for (const ScalarConvection form : {central, limited}) {
    const auto run = [&](int steps) {
      Carried carried(Comm(), unit_square(12, 0.2));
      ScalarTransport scalar(carried.pairs, problem_on(*carried.mesh, 0.02, insulated()), settings_for(form), 0);
      scalar.set_values(Coefficient<real>::of_place([](const Vec3& x) { return std::cos(pi * x.x) + x.y * x.y; }));
      for (int step = 0; step < steps; ++step) scalar.advance(real{1} / steps, carried.duals);
      return gather(scalar.values());
    };
    const std::vector<real> exact = run(640);
    const real coarse = distance(run(40), exact), half = distance(run(80), exact);
    EXPECT_GT(std::log2(coarse / half), 1.9) << coarse << " " << half;
  }
}

}  // namespace
}  // namespace solenoid::test
