/// Gauss-Seidel in colours: colours that are valid and the same on any partition, sweeps as the textbooks write them,
/// and conjugate gradients with both.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "bench/systems.hpp"
#include "field/inner_product.hpp"
#include "solve/gauss_seidel/coloured_rows.hpp"
#include "solve/gauss_seidel/gauss_seidel.hpp"
#include "solve/linear_system.hpp"
#include "solve/prescribed_nodes.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// Colours by global id.
template <class L>
std::vector<real> colours_of(const LocalMesh& mesh, const MatrixRows& rows) {
  const LocalNumbering& numbering = mesh.numbering<L>();
  const std::vector<int> colour = colours(HostExchange(mesh.comm(), numbering), numbering, rows);
  Field<L> values(mesh);
  values.from_host(std::vector<real>(colour.begin(), colour.begin() + numbering.owned));
  halo(values);
  const std::vector<real> all = values.all_to_host();
  EXPECT_TRUE(std::equal(colour.begin(), colour.end(), all.begin(), all.end())) << "the halo's are their owners'";
  return gather(values);
}

template <class L>
void expect_colours(const SystemKind<L>& kind, const MeshSource& source, int most) {
  const auto whole = make_mesh(alone(), source);
  const MatrixRows rows = kind.matrix(*whole);
  const std::vector<real> colour = colours_of<L>(*whole, rows);
  EXPECT_EQ(*std::min_element(colour.begin(), colour.end()), 0) << kind.name;
  EXPECT_LT(*std::max_element(colour.begin(), colour.end()), most) << kind.name;
  const auto& id = whole->numbering<L>().global_id;
  for (int i = 0; i < rows.rows(); ++i) {
    std::set<real> around;
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      if (rows.column[k] != i) around.insert(colour[id[rows.column[k]]]);
    }
    const real own = colour[id[i]];
    EXPECT_FALSE(around.contains(own)) << kind.name << ", row " << i;
    for (real lower = 0; lower < own; ++lower) EXPECT_TRUE(around.contains(lower)) << kind.name << ", row " << i;
  }
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), source, p.partition);
    EXPECT_EQ(colours_of<L>(*mesh, kind.matrix(*mesh)), colour) << kind.name << ", " << p.name;
  }
}

TEST(GaussSeidel, ColoursAreValidFewAndTheSameOnAnyPartition) {
  expect_colours(pressure_system(), unit_square(24, 0.3), 4);
  expect_colours(pressure_system(), unit_cube(6, 0.2), 5);
  expect_colours(heat_system(), unit_square(24, 0.3), 7);
  expect_colours(heat_system(), unit_cube(6, 0.2), 11);
  expect_colours(potential_system(), unit_cube(4, 0.2), 16);
}

/// The matrix of a system scaled to a diagonal of ones, without it.
template <class L>
MatrixRows scaled_off_diagonal(const LocalMesh& mesh, const MatrixRows& rows) {
  Field<L> diagonal(mesh, rows.diagonal());
  halo(diagonal);
  const std::vector<real> d = diagonal.all_to_host();
  MatrixRows result;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      if (j == i) continue;
      result.column.push_back(j);
      result.value.push_back(rows.value[k] / std::sqrt(d[i] * d[j]));
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// A sweep of Gauss-Seidel over all of A x = b, by global id.
void sweep(const std::vector<std::int64_t>& order, const MatrixRows& rows, const std::vector<real>& b,
           std::vector<real>& x) {
  for (const std::int64_t i : order) {
    x[i] = b[i];
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) x[i] -= rows.value[k] * x[rows.column[k]];
  }
}

/// x = (1 + L)^-1 b, and (1 + L^T)^-1 of that, by global id.
template <class L>
std::array<std::vector<real>, 2> both_sweeps(const LocalMesh& mesh, const MatrixRows& rows) {
  const ColouredRows coloured = coloured_rows(mesh.comm(), mesh.numbering<L>(), scaled_off_diagonal<L>(mesh, rows));
  const std::vector<real> ones(mesh.owned<L>(), 1);
  GaussSeidel<L> gauss_seidel(mesh.comm(), coloured, ones, ones);
  const Field<L> b = scattered_field<L>(mesh, 3);
  Field<L> half(mesh), whole(mesh);
  gauss_seidel.take(b, gauss_seidel.swept);
  const std::vector<real> sorted = gauss_seidel.swept.to_host();
  std::vector<real> values(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) values[coloured.from[i]] = sorted[i];
  half.from_host(values);
  gauss_seidel.give(gauss_seidel.swept, whole);
  return {gather(half), gather(whole)};
}

template <class L>
void expect_textbook_sweeps(const SystemKind<L>& kind, const MeshSource& source) {
  const auto whole = make_mesh(alone(), source);
  const MatrixRows rows = kind.matrix(*whole);
  const std::vector<real> colour = colours_of<L>(*whole, rows);
  std::vector<std::int64_t> order(colour.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return colour[i] < colour[j]; });
  const MatrixRows scaled = scaled_off_diagonal<L>(*whole, rows);  // on one rank local numbers are global ids
  const std::vector<real> b = gather(scattered_field<L>(*whole, 3));
  std::vector<real> x(b.size(), 0);
  const std::array<std::vector<real>, 2> found = both_sweeps<L>(*whole, rows);
  sweep(order, scaled, b, x);
  expect_equal(found[0], x, message("{}, forward", kind.name));
  std::reverse(order.begin(), order.end());
  sweep(order, scaled, b, x);
  expect_equal(found[1], x, message("{}, backward", kind.name));
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), source, p.partition);
    EXPECT_EQ(both_sweeps<L>(*mesh, kind.matrix(*mesh)), found) << kind.name << ", " << p.name << ": bit for bit";
  }
}

TEST(GaussSeidel, SweepsAsTheTextbooksDo) {
  expect_textbook_sweeps(pressure_system(), unit_square(12, 0.3));
  expect_textbook_sweeps(heat_system(), unit_square(12, 0.3));
  expect_textbook_sweeps(heat_system(), unit_cube(4, 0.2));
  expect_textbook_sweeps(potential_system(), unit_cube(3, 0.2));
}

TEST(GaussSeidel, IsSymmetricAndPositive) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const MeshSource& source : {unit_square(16, 0.3), unit_cube(5, 0.2)}) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const Space<Node> space(*mesh, fixed_on_boundary(*mesh));
      LinearSystem<Node> system(space, heat_matrix(*mesh), PreconditionerKind::gauss_seidel);
      Field<Node> r = scattered_field<Node>(*mesh, 1), s = scattered_field<Node>(*mesh, 2), of_r(*mesh), of_s(*mesh);
      space.restrict_to_unknowns(r);
      space.restrict_to_unknowns(s);
      system.precondition(r, of_r);
      system.precondition(s, of_s);
      EXPECT_NEAR(dot(of_r, s), dot(r, of_s), round_off * norm(of_r) * norm(s)) << p.name;
      EXPECT_GT(dot(of_r, r), 0) << p.name;
    }
  }
}

struct Solved {
  int iterations;
  std::vector<real> solution;
};

/// A x = b to 1e-9 with scattered values on the right.
template <class L>
Solved solved(const LocalMesh& mesh, const MatrixRows& rows, const std::vector<int>& role, PreconditionerKind kind) {
  const Space<L> space(mesh, role);
  Field<L> b = scattered_field<L>(mesh, 3), x(mesh);
  space.restrict_to_unknowns(b);
  const SolveReport report = LinearSystem<L>(space, rows, kind).solve(b, x, {"test", 1e-9, 3000, kind});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.preconditioner, kind);
  return {report.iterations, gather(x)};
}

/// With a wall's nodes at zero and those of a hole tied to one value, as ranks share it.
std::vector<int> around_a_hole(const LocalMesh& mesh) {
  std::vector<int> role = prescribed_on(mesh, [](int patch) { return patch < 2; });
  const std::vector<int> on_hole = prescribed_on(mesh, [](int patch) { return patch == 2; });
  for (std::size_t i = 0; i < role.size(); ++i) {
    if (on_hole[i] == Space<Node>::prescribed) role[i] = 0;
  }
  return role;
}

/// Half the iterations of Jacobi's and less, to the same solution.
template <class L>
void expect_half_of_jacobi(const SystemKind<L>& kind, const MeshSource& source) {
  const auto whole = make_mesh(alone(), source);
  const auto solve = [&](const LocalMesh& mesh, PreconditionerKind preconditioner) {
    return solved<L>(mesh, kind.matrix(mesh), kind.roles(mesh), preconditioner);
  };
  const Solved expected = solve(*whole, PreconditionerKind::gauss_seidel);
  const Solved by_jacobi = solve(*whole, PreconditionerKind::jacobi);
  EXPECT_LE(expected.iterations, by_jacobi.iterations * 11 / 20) << kind.name;
  expect_equal(expected.solution, by_jacobi.solution, message("{}, as with jacobi", kind.name), 1e-6);
  for (const NamedPartitioner& p : partitioners()) {
    const Solved found = solve(*make_mesh(Comm(), source, p.partition), PreconditionerKind::gauss_seidel);
    EXPECT_EQ(found.iterations, expected.iterations) << kind.name << ", " << p.name;
    expect_equal(found.solution, expected.solution, message("{}, {}", kind.name, p.name), 1e-9);
  }
}

TEST(GaussSeidel, HalvesTheIterationsOfJacobi) {
  expect_half_of_jacobi(heat_system(), unit_square(40, 0.2));
  expect_half_of_jacobi(heat_system(), unit_cube(10, 0.2));
  expect_half_of_jacobi(momentum_system(), unit_square(20, 0.2));
  expect_half_of_jacobi(SystemKind<Node>{"heat around a hole", heat_matrix, around_a_hole, false},
                        square_with_hole(36));
}

}  // namespace
}  // namespace solenoid::test
