/// Heat conduction: observed orders in space and time.
#include <gtest/gtest.h>

#include <cmath>

#include "operators/p1.hpp"
#include "support/heat_problems.hpp"
#include "support/mesh_kinds.hpp"
#include "support/refined.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

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

/// ||T_h - T|| in L2 by quadrature on each cell of the mesh after `refinements`.
real error_on(const MeshSource& mesh_source, int refinements = 0) {
  const auto mesh = std::make_unique<LocalMesh>(Comm(), refined_part(Comm(), mesh_source, refinements));
  constexpr real h = 2;
  const bool space = mesh_source.dimension == 3;
  HeatProblem problem = problem_between(
      convection(h, Data::of_place([](const Vec3& x) { return exact(x) + conductivity(x) * gradient(x).y / h; })),
      temperature(Data::of_place(exact)));
  problem.conductivity = Data::of_place(conductivity);
  problem.source = Data::of_place([space](const Vec3& x) { return source(x, space); });
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

void expect_second_order(const char* name, const MeshSource& coarse_mesh, const MeshSource& fine_mesh,
                         real at_least = 1.9) {
  const real coarse = error_on(coarse_mesh), fine = error_on(fine_mesh),
             cells = real(fine_mesh.cell_count()) / real(coarse_mesh.cell_count()),
             order = std::log(coarse / fine) * coarse_mesh.dimension / std::log(cells);
  testing::Test::RecordProperty(name, std::to_string(order));
  EXPECT_GE(order, at_least) << name << ": " << coarse << " " << fine;
}

TEST(HeatConduction, ConvergesInThePlane_Long) {
  expect_second_order("regular", unit_square(16), unit_square(32));
  expect_second_order("distorted", unit_square(16, 0.3), unit_square(32, 0.3));
}

TEST(HeatConduction, ConvergesInSpace_Long) {
  expect_second_order("regular", unit_cube(6), unit_cube(12));
  expect_second_order("distorted", unit_cube(6, 0.2), unit_cube(12, 0.2));
}

TEST(HeatConduction, ConvergesOnMeshesOfAllKinds_Long) {
  for (const int dimension : {2, 3}) {
    const int n = dimension == 2 ? 16 : 6;
    const std::vector<NamedMesh> coarse = kinds_of_meshes(dimension, n), fine = kinds_of_meshes(dimension, 2 * n);
    for (std::size_t k = 0; k < coarse.size(); ++k) {
      const real at_least = coarse[k].depth == 1 ? 1.9 : 1.75;  // cells of aspect 50
      expect_second_order(coarse[k].name.c_str(), coarse[k].mesh, fine[k].mesh, at_least);
    }
  }
}

/// Distortions keep their length, so the order shows when cells are much smaller. Where the refined mesh is one that is
/// made finer, its errors are the same.
TEST(HeatConduction, ConvergesOnRefinedMeshes_Long) {
  for (const int dimension : {2, 3}) {
    const int n = dimension == 2 ? 8 : 3, times = dimension == 2 ? 4 : 1;
    for (const NamedMesh& kind : kinds_of_meshes(dimension, n)) {
      const real coarse = error_on(kind.mesh, times), fine = error_on(kind.mesh, times + 1),
                 order = std::log2(coarse / fine);
      testing::Test::RecordProperty(kind.name, std::to_string(order));
      EXPECT_GE(order, kind.depth == 1 ? 1.9 : 1.75) << kind.name << ": " << coarse << " " << fine;
    }
  }
  EXPECT_NEAR(error_on(unit_cube(4), 1) / error_on(unit_cube(8)), 1, 1e-6);
  EXPECT_NEAR(error_on(one_way_square(8), 1) / error_on(one_way_square(16)), 1, 1e-6);
}

/// Temperature at t = 1 of a square whose wall swings, after `steps` steps, some of them longer than others if
/// `uneven`.
std::vector<real> swinging(TimeScheme scheme, int steps, bool uneven) {
  const auto mesh = make_mesh(Comm(), unit_square(6, 0.3));
  const Data swing = Data::of_place_and_time([](const Vec3& x, real t) { return (1 + x.x) * std::sin(3 * t); });
  HeatProblem problem = problem_between(convection(4, swing), temperature(swing), 0.05);
  problem.conductivity = Data::of_time([](real t) { return real{0.05} * (1 + t / 2); });
  HeatConduction heat(*mesh, problem, tight(scheme), 0);
  heat.set_temperature(Data::of_place([](const Vec3& x) { return std::sin(pi * x.x) * x.y * (1 - x.y); }));
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

TEST(HeatConduction, OrderInTime_Slow) {
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
