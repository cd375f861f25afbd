/// Heat conduction: linear temperatures to round-off on any mesh and partition, jumps of the material, the balance of
/// heat, the maximum principle.
#include <gtest/gtest.h>

#include <cmath>

#include "support/heat_problems.hpp"
#include "support/mesh_kinds.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

std::vector<MeshSource> distorted_meshes() { return {unit_square(9, 0.4), unit_cube(4, 0.3)}; }

// Linear temperatures

constexpr Vec3 slope{2, -3, 0.5};
constexpr real k = 7;
real linear(const Vec3& x) { return 300 + dot(slope, x); }

/// k dT/dn of the linear temperature on the sides of the unit square and cube other than y = 1.
real linear_flux(const Vec3& x) {
  constexpr real near = 1e-12;
  if (x.x < near) return -k * slope.x;
  if (x.x > 1 - near) return k * slope.x;
  if (x.y < near) return -k * slope.y;
  return x.z < near ? -k * slope.z : k * slope.z;
}

void expect_linear(const NamedMesh& kind, const Partitioner& partition, const NodalBoundary& lid,
                   const NodalBoundary& wall, const std::string& conditions) {
  const MeshSource& source = kind.mesh;
  const std::string name = kind.name + ", " + conditions;
  const real area = source.dimension == 3 ? kind.depth : 1;  // of the lid
  const auto mesh = make_mesh(Comm(), source, partition);
  HeatConduction heat(*mesh, problem_between(lid, wall, k), tight(), 0);
  heat.solve_steady();
  const Vec3 in_plane = source.dimension == 2 ? Vec3{slope.x, slope.y, 0} : slope;
  const std::vector<real> found = heat.temperature().to_host();
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_NEAR(found[n], 300 + dot(in_plane, mesh->part().points[n]), 1e-9) << name;
  }
  for (const Vec3& q : heat.flux().to_host()) EXPECT_LE(norm(q + k * in_plane), 1e-8 / kind.depth) << name;
  const HeatBalance balance = heat.balance();
  EXPECT_NEAR(balance.through[0], k * slope.y * area, 1e-8) << name;
  EXPECT_NEAR(balance.through[1], -k * slope.y * area, 1e-8) << name;
}

TEST(HeatConduction, LinearTemperaturesAreExactOnAnyMeshAndPartition_Long) {
  const Data known = Data::of_place(linear), known_flux = Data::of_place(linear_flux);
  const Data ambient = Data::of_place([](const Vec3& x) { return linear(x) + k * slope.y / 11; });
  std::vector<NamedMesh> kinds;
  for (const MeshSource& source : distorted_meshes()) kinds.push_back({"distorted", source});
  for (const int dimension : {2, 3}) {
    for (NamedMesh& kind : kinds_of_meshes(dimension, dimension == 2 ? 8 : 4)) kinds.push_back(std::move(kind));
  }
  for (const NamedMesh& kind : kinds) {
    for (const NamedPartitioner& p : partitioners()) {
      expect_linear(kind, p.partition, temperature(known), temperature(known), p.name + ", temperatures");
      expect_linear(kind, p.partition, temperature(known), flux(known_flux), p.name + ", fluxes");
      expect_linear(kind, p.partition, convection(11, ambient), flux(known_flux), p.name + ", convection");
    }
  }
}

TEST(HeatConduction, WhereEveryNodeIsGivenThereIsNothingToSolve) {
  const auto mesh = make_mesh(Comm(), single_tetrahedron());
  HeatConduction heat(*mesh, {Data(2), OnRegions(Data(1)), Data(0), {temperature(Data::of_place(linear))}}, tight(), 0);
  heat.solve_steady();
  EXPECT_EQ(heat.solves().entries().at("heat").last.iterations, 0);
  for (const Vec3& q : heat.flux().to_host()) EXPECT_LE(norm(q + real{2} * slope), 1e-10);
  EXPECT_NEAR(heat.balance().imbalance(), 0, 1e-10);
}

TEST(HeatConduction, NodesOfTwoTemperaturesTakeTheMeanAndShareTheHeat) {
  const auto mesh = make_mesh(Comm(), unit_square(8));
  HeatConduction heat(*mesh, problem_between(temperature(Data(1)), temperature(Data(0))), tight(), 0);
  heat.solve_steady();
  const std::vector<real> found = heat.temperature().to_host();
  for (std::size_t n = 0; n < found.size(); ++n) {
    const Vec3& x = mesh->part().points[n];
    const bool corner = x.x == 0 || x.x == 1;
    if (x.y == 1) {
      EXPECT_EQ(found[n], corner ? 0.5 : 1);
    }
  }
  const HeatBalance balance = heat.balance();
  EXPECT_GT(balance.through[0], 1);
  EXPECT_NEAR(balance.imbalance(), 0, 1e-10);
}

// Materials

/// A square of two materials that meet at x = 1/2, its nodes displaced along y.
MeshSource two_materials() {
  MeshSource mesh = unit_square(8);
  mesh.regions = {"left", "right"};
  for (Vec3& x : mesh.points) {
    if (x.y > 0 && x.y < 1) x.y += 0.04 * std::sin(7 * x.x + 3);
  }
  for (int c = 0; c < mesh.cell_count(); ++c) {
    real middle = 0;
    for (int i = 0; i < 3; ++i) middle += mesh.points[mesh.cells[3 * c + i]].x / 3;
    mesh.cell_region[c] = middle < 0.5 ? 0 : 1;
  }
  return mesh;
}

TEST(HeatConduction, TheFluxIsContinuousWhereTheMaterialJumps) {
  const auto mesh = make_mesh(Comm(), two_materials());
  constexpr real left = 1, right = 40;
  constexpr real flow = 1 / (0.5 / left + 0.5 / right);
  const auto exact = [](const Vec3& x) { return x.x < 0.5 ? flow * x.x / left : 1 - flow * (1 - x.x) / right; };
  HeatProblem problem = problem_between(temperature(Data::of_place(exact)), temperature(Data::of_place(exact)));
  problem.conductivity = {{"", {}, {{"left", left}, {"right", right}}}, {"left", "right"}};
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.solve_steady();
  const std::vector<real> found = heat.temperature().to_host();
  for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], exact(mesh->part().points[n]), 1e-11);
  for (const Vec3& q : heat.flux().to_host()) EXPECT_LE(norm(q - Vec3{-flow, 0, 0}), 1e-9);
}

// Balance

/// Something of everything, in time too: convection at the lid, a wall of given temperature or flux, sources.
HeatProblem mixed_problem(bool wall_has_temperature) {
  const Data swing = Data::of_place_and_time([](const Vec3& x, real t) { return x.y * std::cos(t); });
  HeatProblem problem =
      problem_between(convection(3, Data::of_place_and_time([](const Vec3& x, real t) { return 2 + x.x + t; })),
                      wall_has_temperature ? temperature(swing) : flux(swing));
  problem.conductivity = Data::of_place_and_time([](const Vec3& x, real t) { return 1 + x.x * x.y + t; });
  problem.heat_capacity = Data::of_place([](const Vec3& x) { return 2 + x.y; });
  problem.source = Data::of_place_and_time([](const Vec3& x, real t) { return std::sin(5 * x.x + t); });
  return problem;
}

TEST(HeatConduction, WhatEntersIsStoredOrLeaves) {
  for (const MeshSource& source : distorted_meshes()) {
    for (const bool wall_has_temperature : {true, false}) {
      const auto mesh = make_mesh(Comm(), source);
      HeatConduction heat(*mesh, mixed_problem(wall_has_temperature), tight(), 0);
      heat.set_temperature(Data::of_place(linear));
      for (const real dt : {0.1, 0.1, 0.05}) {
        heat.advance(dt);
        const HeatBalance balance = heat.balance();
        EXPECT_GT(std::abs(balance.stored), 1e-3);
        EXPECT_LE(std::abs(balance.imbalance()), 1e-10 * (balance.supplied() + std::abs(balance.stored)));
      }
      heat.solve_steady();
      EXPECT_EQ(heat.balance().stored, 0);
      EXPECT_LE(std::abs(heat.balance().imbalance()), 1e-10 * heat.balance().supplied());
    }
  }
}

TEST(HeatConduction, TheBalanceClosesToTheSolversTolerance) {
  const auto mesh = make_mesh(Comm(), unit_cube(5, 0.3));
  for (const real tolerance : {1e-4, 1e-8}) {
    HeatConduction heat(*mesh, mixed_problem(true),
                        {TimeScheme::euler, {"heat", tolerance, 1000, PreconditionerKind::jacobi}}, 0);
    heat.solve_steady();
    const real part = std::abs(heat.balance().imbalance()) / heat.balance().supplied();
    EXPECT_LE(part, 100 * tolerance);
    EXPECT_GT(part, 1e-14);
  }
}

TEST(HeatConduction, WithoutAnythingThatHoldsTheTemperatureThereIsNoSteadyState) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  HeatConduction heat(*mesh, problem_between(flux(Data(1)), convection(0, Data(1))), tight(), 0);
  try {
    heat.solve_steady();
    ADD_FAILURE() << "a temperature was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("no patch has a given temperature or convection"), std::string::npos);
  }
}

// Data that depend on time

TEST(HeatConduction, TakesTheDataAtTheEndOfAnEulerStep) {
  const auto mesh = make_mesh(Comm(), unit_square(4, 0.3));
  HeatProblem problem = problem_between(flux(Data(0)), flux(Data(0)));
  problem.heat_capacity = Data::of_time([](real t) { return 1 + t; });
  problem.source = Data::of_time([](real t) { return 5 * t * t; });
  HeatConduction heat(*mesh, problem, tight(TimeScheme::euler), 0);
  heat.set_temperature(real{10});
  real expected = 10, t = 0;
  for (const real dt : {0.5, 0.25, 1.0}) {
    heat.advance(dt);
    t += dt;
    expected += dt * 5 * t * t / (1 + t);
    for (const real found : heat.temperature().to_host()) EXPECT_NEAR(found, expected, 1e-11);
  }
}

TEST(HeatConduction, FollowsAConductivityThatChanges) {
  const auto mesh = make_mesh(Comm(), unit_cube(3, 0.2));
  HeatProblem problem = problem_between(temperature(Data::of_place(linear)), temperature(Data::of_place(linear)));
  problem.conductivity = Data::of_time([](real t) { return 1 + t; });
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.set_temperature(Data::of_place(linear));
  for (int step = 1; step <= 3; ++step) {
    heat.advance(0.5);
    EXPECT_NEAR(heat.balance().through[0], (1 + real(step) / 2) * slope.y, 1e-9);
  }
}

/// Only the exchange with the surroundings changes: on some ranks no node has any.
TEST(HeatConduction, FollowsACoefficientThatChanges) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_square(8), p.partition);
    const NodalBoundary lid = convection(Data::of_time([](real t) { return 3 + t; }), Data(1));
    HeatConduction heat(*mesh, problem_between(lid, temperature(Data(0))), tight(), 0);
    heat.set_temperature(real{0});
    real before = 0;
    for (int step = 1; step <= 40; ++step) {
      heat.advance(0.25);
      const HeatBalance balance = heat.balance();
      EXPECT_LE(std::abs(balance.imbalance()), 1e-10 * balance.supplied()) << p.name;
      constexpr int warm = 8;  // from here on the body takes up no more, and the heat rises with the coefficient
      if (step > warm) {
        EXPECT_GT(balance.through[0], before) << p.name << " " << step;
      }
      before = balance.through[0];
    }
  }
}

TEST(HeatConduction, ABodyThatCoolsBecomesSteady) {
  const auto mesh = make_mesh(Comm(), unit_square(6, 0.3));
  HeatConduction heat(*mesh, problem_between(convection(2, Data(300)), flux(Data(0)), 50), tight(), 0);
  heat.set_temperature(real{400});
  heat.advance(0.1);
  const real first = heat.rate_of_change();
  EXPECT_NEAR(first, 2, 0.5);  // h area / (c V)
  for (int step = 1; step < 100; ++step) heat.advance(0.1);
  EXPECT_LT(heat.rate_of_change(), 1e-6 * first);
}

TEST(HeatConduction, ABodyThatIsHeatedEvenlyIsNotSteady) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  HeatProblem problem = problem_between(flux(Data(0)), flux(Data(0)));
  problem.source = Data(1);
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.set_temperature(real{10});
  for (int step = 0; step < 3; ++step) {
    heat.advance(0.5);
    EXPECT_GT(heat.rate_of_change(), 0.1);
  }
}

/// Steps that differ by round-off share a matrix; a new start forgets the steps before it.
TEST(HeatConduction, StartsAnewFromATemperatureThatIsSet) {
  const auto mesh = make_mesh(Comm(), unit_square(5, 0.2));
  HeatProblem steady_data = problem_between(convection(1, Data(0)), flux(Data(0)));
  HeatConduction once(*mesh, steady_data, tight(), 0), twice(*mesh, steady_data, tight(), 0);
  once.set_temperature(Data::of_place(linear));
  once.advance(0.1);
  twice.set_temperature(real{1});
  twice.advance(0.1);
  twice.advance(0.1 + 1e-13);
  EXPECT_EQ(twice.last_dt(), real{0.1});
  twice.set_temperature(Data::of_place(linear));
  twice.advance(0.1);
  const std::vector<real> expected = once.temperature().to_host(), found = twice.temperature().to_host();
  for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-9);
}

// Maximum principle

/// The unit square, sheared: its angles are obtuse.
MeshSource sheared_square() {
  MeshSource mesh = unit_square(8);
  for (Vec3& x : mesh.points) x.x += 3 * x.y;
  return mesh;
}

MaximumPrinciple principle_on(const MeshSource& source, real heating = 0) {
  const auto mesh = make_mesh(Comm(), source);
  const auto peak = [](const Vec3& x) { return std::exp(-50 * dot(x - Vec3{2, 0.5, 0}, x - Vec3{2, 0.5, 0})); };
  HeatProblem problem = problem_between(temperature(Data(0)), temperature(Data(0)));
  problem.source = Data(heating);
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.set_temperature(Data::of_place(peak));
  heat.advance(1e-3);
  return heat.maximum_principle();
}

TEST(HeatConduction, KeepsTheMaximumPrincipleWhereNoNodesPullApart) {
  const MaximumPrinciple found = principle_on(unit_square(8));
  EXPECT_EQ(found.positive_couplings, 0);
  EXPECT_EQ(found.nodes_beyond, 0);
  EXPECT_EQ(found.low, real{0});
  EXPECT_GE(found.lowest, 0);
}

TEST(HeatConduction, ReportsWhereTheMeshBreaksTheMaximumPrinciple) {
  const MaximumPrinciple found = principle_on(sheared_square());
  EXPECT_GT(found.positive_couplings, 0);
  EXPECT_LT(found.positive_couplings, found.couplings / 2);
  EXPECT_GT(found.nodes_beyond, 0);
  EXPECT_LT(found.lowest, -1e-6);
  EXPECT_GT(norm(found.place), 0);
}

TEST(HeatConduction, RoundOffIsNotBeyondTheBounds) {
  const auto mesh = make_mesh(Comm(), unit_square(6, 0.3));
  HeatConduction heat(*mesh, problem_between(convection(3, Data(293.15)), flux(Data(0))), tight(), 0);
  heat.set_temperature(real{293.15});
  for (int step = 0; step < 5; ++step) heat.advance(0.1);
  EXPECT_EQ(heat.maximum_principle().nodes_beyond, 0);
}

TEST(HeatConduction, HeatSuppliedInsideLiftsTheUpperBoundOnly) {
  EXPECT_FALSE(principle_on(unit_square(8), 1).high);
  EXPECT_TRUE(principle_on(unit_square(8), 1).low);
  EXPECT_FALSE(principle_on(unit_square(8), -1).low);
  EXPECT_TRUE(principle_on(unit_square(8), -1).high);
}

// Ranks

/// Temperatures by global id and heat through the patches after a few steps and in the steady state.
std::vector<real> all_of(const Comm& comm, const MeshSource& source, const Partitioner& partition) {
  const auto mesh = make_mesh(comm, source, partition);
  HeatConduction heat(*mesh, mixed_problem(true), tight(), 0);
  heat.set_temperature(Data::of_place(linear));
  for (const real dt : {0.1, 0.1, 0.05}) heat.advance(dt);
  std::vector<real> values = gather(heat.temperature());
  const auto add_balance = [&] {
    const HeatBalance balance = heat.balance();
    values.insert(values.end(), balance.through.begin(), balance.through.end());
    values.insert(values.end(), {balance.source, balance.stored, heat.range().low, heat.range().high});
  };
  add_balance();
  values.push_back(heat.rate_of_change());
  heat.solve_steady();
  const std::vector<real> steady = gather(heat.temperature());
  values.insert(values.end(), steady.begin(), steady.end());
  add_balance();
  return values;
}

TEST(HeatConduction, IsTheSameOnAnyPartition) {
  for (const MeshSource& source : distorted_meshes()) {
    const std::vector<real> expected = all_of(alone(), source, partition_cells);
    for (const NamedPartitioner& p : partitioners()) {
      const std::vector<real> found = all_of(Comm(), source, p.partition);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-10 * std::max(real{300}, std::abs(expected[i]))) << p.name << " " << i;
      }
    }
  }
}

TEST(HeatConduction, RepeatsItsBits) {
  const MeshSource source = unit_cube(4, 0.3);
  EXPECT_EQ(all_of(Comm(), source, partition_cells), all_of(Comm(), source, partition_cells));
}

}  // namespace
}  // namespace solenoid::test
