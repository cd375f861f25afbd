/// Heat conduction: linear temperatures to round-off on any mesh and partition, jumps of the material, the balance of
/// heat, the maximum principle, and the observed orders.
#include "physics/heat_conduction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "operators/quadrature.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

constexpr real pi = std::numbers::pi_v<real>;

Comm alone() { return Comm(MPI_COMM_SELF); }

MaterialProperty uniform(real value) {
  return {[value](int, const Vec3&, real) { return value; }, false, false};
}

PatchQuantity constant(real value) {
  return {[value](const Vec3&, real) { return value; }, false};
}

PatchQuantity of_place(const std::function<real(const Vec3&)>& f) {
  return {[f](const Vec3& x, real) { return f(x); }, false};
}

HeatSolverSettings tight(TimeScheme scheme = TimeScheme::second_order) {
  return {scheme, {"heat", 1e-13, 20000, PreconditionerKind::jacobi}};
}

/// Patches "lid" (y = 1) and "wall" (the rest) of the unit square and cube.
HeatProblem problem_between(const ThermalBoundary& lid, const ThermalBoundary& wall, real conductivity = 1) {
  return {uniform(conductivity), uniform(1), uniform(0), {lid, wall}};
}

ThermalBoundary temperature(const PatchQuantity& value) { return {ThermalCondition::temperature, value, {}}; }
ThermalBoundary flux(const PatchQuantity& value) { return {ThermalCondition::flux, value, {}}; }
ThermalBoundary convection(real h, const PatchQuantity& ambient) {
  return {ThermalCondition::convection, ambient, constant(h)};
}

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

void expect_linear(const MeshSource& source, const Partitioner& partition, const ThermalBoundary& lid,
                   const ThermalBoundary& wall, const std::string& name) {
  const auto mesh = make_mesh(Comm(), source, partition);
  HeatConduction heat(*mesh, problem_between(lid, wall, k), tight(), 0);
  heat.solve_steady();
  const Vec3 in_plane = source.dimension == 2 ? Vec3{slope.x, slope.y, 0} : slope;
  const std::vector<real> found = heat.temperature().to_host();
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_NEAR(found[n], 300 + dot(in_plane, mesh->part().points[n]), 1e-9) << name;
  }
  for (const Vec3& q : heat.heat_flux().to_host()) EXPECT_LE(norm(q + k * in_plane), 1e-8) << name;
  const HeatBalance balance = heat.balance();
  EXPECT_NEAR(balance.through[0], k * slope.y, 1e-8) << name;
  EXPECT_NEAR(balance.through[1], -k * slope.y, 1e-8) << name;
}

TEST(HeatConduction, LinearTemperaturesAreExactOnAnyMeshAndPartition) {
  const PatchQuantity known = of_place(linear), known_flux = of_place(linear_flux);
  const PatchQuantity ambient = of_place([](const Vec3& x) { return linear(x) + k * slope.y / 11; });
  for (const MeshSource& source : distorted_meshes()) {
    for (const NamedPartitioner& p : partitioners()) {
      expect_linear(source, p.partition, temperature(known), temperature(known), p.name + ", temperatures");
      expect_linear(source, p.partition, temperature(known), flux(known_flux), p.name + ", fluxes");
      expect_linear(source, p.partition, convection(11, ambient), flux(known_flux), p.name + ", convection");
    }
  }
}

TEST(HeatConduction, WhereEveryNodeIsGivenThereIsNothingToSolve) {
  const auto mesh = make_mesh(Comm(), single_tetrahedron());
  HeatConduction heat(*mesh, {uniform(2), uniform(1), uniform(0), {temperature(of_place(linear))}}, tight(), 0);
  heat.solve_steady();
  EXPECT_EQ(heat.solves().entries().at("heat").last.iterations, 0);
  for (const Vec3& q : heat.heat_flux().to_host()) EXPECT_LE(norm(q + real{2} * slope), 1e-10);
  EXPECT_NEAR(heat.balance().imbalance(), 0, 1e-10);
}

TEST(HeatConduction, NodesOfTwoTemperaturesTakeTheMeanAndShareTheHeat) {
  const auto mesh = make_mesh(Comm(), unit_square(8));
  HeatConduction heat(*mesh, problem_between(temperature(constant(1)), temperature(constant(0))), tight(), 0);
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
  HeatProblem problem = problem_between(temperature(of_place(exact)), temperature(of_place(exact)));
  problem.conductivity = {[](int region, const Vec3&, real) { return region == 0 ? left : right; }, false, false};
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.solve_steady();
  const std::vector<real> found = heat.temperature().to_host();
  for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], exact(mesh->part().points[n]), 1e-11);
  for (const Vec3& q : heat.heat_flux().to_host()) EXPECT_LE(norm(q - Vec3{-flow, 0, 0}), 1e-9);
}

// Balance

/// Something of everything, in time too: convection at the lid, a wall of given temperature or flux, sources.
HeatProblem mixed_problem(ThermalCondition wall) {
  HeatProblem problem = problem_between(convection(3, {[](const Vec3& x, real t) { return 2 + x.x + t; }, true}),
                                        {wall, {[](const Vec3& x, real t) { return x.y * std::cos(t); }, true}, {}});
  problem.conductivity = {[](int, const Vec3& x, real t) { return 1 + x.x * x.y + t; }, true, true};
  problem.heat_capacity = {[](int, const Vec3& x, real) { return 2 + x.y; }, true, false};
  problem.source = {[](int, const Vec3& x, real t) { return std::sin(5 * x.x + t); }, true, true};
  return problem;
}

TEST(HeatConduction, WhatEntersIsStoredOrLeaves) {
  for (const MeshSource& source : distorted_meshes()) {
    for (const ThermalCondition wall : {ThermalCondition::temperature, ThermalCondition::flux}) {
      const auto mesh = make_mesh(Comm(), source);
      HeatConduction heat(*mesh, mixed_problem(wall), tight(), 0);
      heat.set_temperature(linear);
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
    HeatConduction heat(*mesh, mixed_problem(ThermalCondition::temperature),
                        {TimeScheme::euler, {"heat", tolerance, 1000, PreconditionerKind::jacobi}}, 0);
    heat.solve_steady();
    const real part = std::abs(heat.balance().imbalance()) / heat.balance().supplied();
    EXPECT_LE(part, 100 * tolerance);
    EXPECT_GT(part, 1e-14);
  }
}

TEST(HeatConduction, WithoutAnythingThatHoldsTheTemperatureThereIsNoSteadyState) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  HeatConduction heat(*mesh, problem_between(flux(constant(1)), convection(0, constant(1))), tight(), 0);
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
  HeatProblem problem = problem_between(flux(constant(0)), flux(constant(0)));
  problem.heat_capacity = {[](int, const Vec3&, real t) { return 1 + t; }, false, true};
  problem.source = {[](int, const Vec3&, real t) { return 5 * t * t; }, false, true};
  HeatConduction heat(*mesh, problem, tight(TimeScheme::euler), 0);
  heat.set_temperature([](const Vec3&) { return real{10}; });
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
  HeatProblem problem = problem_between(temperature(of_place(linear)), temperature(of_place(linear)));
  problem.conductivity = {[](int, const Vec3&, real t) { return 1 + t; }, false, true};
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.set_temperature(linear);
  for (int step = 1; step <= 3; ++step) {
    heat.advance(0.5);
    EXPECT_NEAR(heat.balance().through[0], (1 + real(step) / 2) * slope.y, 1e-9);
  }
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
  HeatProblem problem = problem_between(temperature(constant(0)), temperature(constant(0)));
  problem.source = uniform(heating);
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.set_temperature(peak);
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
  EXPECT_LE(found.positive_couplings, found.couplings);
  EXPECT_GT(found.nodes_beyond, 0);
  EXPECT_LT(found.lowest, -1e-6);
  EXPECT_GT(norm(found.place), 0);
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
  HeatConduction heat(*mesh, mixed_problem(ThermalCondition::temperature), tight(), 0);
  heat.set_temperature(linear);
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

// Orders

/// T = sin(2x + 1/2) cos(y) (1 + z^2) with k = 1 + xy + z/2, convection at y = 1 and given temperatures elsewhere.
real exact(const Vec3& x) { return std::sin(2 * x.x + real{0.5}) * std::cos(x.y) * (1 + x.z * x.z); }
real conductivity(const Vec3& x) { return 1 + x.x * x.y + x.z / 2; }
Vec3 gradient(const Vec3& x) {
  const real a = 2 * x.x + real{0.5}, c = 1 + x.z * x.z;
  return {2 * std::cos(a) * std::cos(x.y) * c, -std::sin(a) * std::sin(x.y) * c, std::sin(a) * std::cos(x.y) * 2 * x.z};
}
/// - div(k grad T); the third dimension counts in the cube only.
real source(const Vec3& x, bool space) {
  const Vec3 g = gradient(x);
  const real laplacian = -5 * exact(x) + (space ? 2 * std::sin(2 * x.x + real{0.5}) * std::cos(x.y) : 0);
  return -conductivity(x) * laplacian - x.y * g.x - x.x * g.y - (space ? g.z / 2 : 0);
}

/// ||T_h - T|| in L2 by quadrature on each cell.
real error_on(const MeshSource& mesh_source) {
  const auto mesh = make_mesh(Comm(), mesh_source);
  constexpr real h = 2;
  const bool space = mesh_source.dimension == 3;
  HeatProblem problem = problem_between(
      convection(h, of_place([](const Vec3& x) { return exact(x) + conductivity(x) * gradient(x).y / h; })),
      temperature(of_place(exact)));
  problem.conductivity = {[](int, const Vec3& x, real) { return conductivity(x); }, true, false};
  problem.source = {[space](int, const Vec3& x, real) { return source(x, space); }, true, false};
  HeatConduction heat(*mesh, problem, tight(), 0);
  heat.solve_steady();
  halo(heat.temperature());
  const std::vector<real> found = heat.temperature().all_to_host();
  const MeshPart& part = mesh->part();
  const int corners = part.corners();
  real squares = 0;
  for (int c = 0; c < mesh->owned<Cell>(); ++c) {
    const std::span nodes(&part.cell_nodes[c * corners], corners);
    for (const QuadraturePoint& point : quadrature(corners)) {
      real error = -exact(point.in(part.points, nodes));
      for (int i = 0; i < corners; ++i) error += point.barycentric[i] * found[nodes[i]];
      squares += point.weight * mesh->geometry().cell_volume[c] * error * error;
    }
  }
  return std::sqrt(mesh->comm().sum(squares));
}

void expect_second_order(const char* name, const MeshSource& coarse_mesh, const MeshSource& fine_mesh) {
  const real coarse = error_on(coarse_mesh), fine = error_on(fine_mesh), order = std::log2(coarse / fine);
  testing::Test::RecordProperty(name, std::to_string(order));
  EXPECT_GE(order, 1.9) << name << ": " << coarse << " " << fine;
}

TEST(HeatConduction, ConvergesInThePlane) {
  expect_second_order("regular", unit_square(16), unit_square(32));
  expect_second_order("distorted", unit_square(16, 0.3), unit_square(32, 0.3));
}

TEST(HeatConduction, ConvergesInSpace) {
  expect_second_order("regular", unit_cube(6), unit_cube(12));
  expect_second_order("distorted", unit_cube(6, 0.2), unit_cube(12, 0.2));
}

/// Temperature at t = 1 of a square whose wall swings, after `steps` steps, some of them longer than others if
/// `uneven`.
std::vector<real> swinging(TimeScheme scheme, int steps, bool uneven) {
  const auto mesh = make_mesh(Comm(), unit_square(6, 0.3));
  const PatchQuantity swing{[](const Vec3& x, real t) { return (1 + x.x) * std::sin(3 * t); }, true};
  HeatProblem problem = problem_between(convection(4, swing), temperature(swing), 0.05);
  problem.conductivity = {[](int, const Vec3&, real t) { return real{0.05} * (1 + t / 2); }, false, true};
  HeatConduction heat(*mesh, problem, tight(scheme), 0);
  heat.set_temperature([](const Vec3& x) { return std::sin(pi * x.x) * x.y * (1 - x.y); });
  for (int s = 0; s < steps; ++s) heat.advance((uneven ? (s % 2 == 0 ? 1.2 : 0.8) : 1.0) / steps);
  return gather(heat.temperature());
}

/// From the differences between runs with n, 2n and 4n steps.
real order_in_time(TimeScheme scheme, int steps, bool uneven) {
  const auto a = swinging(scheme, steps, uneven), b = swinging(scheme, 2 * steps, uneven),
             c = swinging(scheme, 4 * steps, uneven);
  real first = 0, second = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    first += (a[i] - b[i]) * (a[i] - b[i]);
    second += (b[i] - c[i]) * (b[i] - c[i]);
  }
  return std::log2(first / second) / 2;
}

TEST(HeatConduction, OrderInTime) {
  const real bdf2 = order_in_time(TimeScheme::second_order, 40, false);
  const real uneven = order_in_time(TimeScheme::second_order, 40, true);
  const real euler = order_in_time(TimeScheme::euler, 40, false);
  RecordProperty("bdf2", std::to_string(bdf2));
  RecordProperty("bdf2_uneven", std::to_string(uneven));
  RecordProperty("euler", std::to_string(euler));
  EXPECT_GE(bdf2, 1.9);
  EXPECT_GE(uneven, 1.9);
  EXPECT_NEAR(euler, 1, 0.1);
}

}  // namespace
}  // namespace solenoid::test
