/// Multigrid as a preconditioner: iterations that neither the mesh, nor its materials, nor the number of ranks changes.
#include "solve/multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/systems.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/p1.hpp"
#include "solve/linear_system.hpp"
#include "solve/prescribed_nodes.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

struct Outcome {
  SolveReport report;
  std::vector<std::int64_t> rows;  ///< of the levels
  real complexity;
  std::vector<real> solution;
};

/// A x = b to 1e-8 with numbers of all frequencies on the right; their mean is taken off where nothing is prescribed.
template <class L>
Outcome outcome_of(const LocalMesh& mesh, const MatrixRows& rows, const std::vector<int>& role,
                   PreconditionerKind preconditioner = PreconditionerKind::multigrid) {
  const Space<L> space(mesh, role);
  Field<L> b = scattered_field<L>(mesh, 3), x(mesh);
  if (space.unknowns() == mesh.global_count<L>()) {
    std::vector<real> values = b.to_host();
    const real mean = sum(mesh, operand(b)) / static_cast<real>(mesh.global_count<L>());
    for (real& value : values) value -= mean;
    b.from_host(values);
  }
  space.restrict_to_unknowns(b);
  LinearSystem<L> system(space, rows, preconditioner);
  const SolveReport report = system.solve(b, x, {"test", 1e-8, 3000, preconditioner});
  EXPECT_TRUE(report.converged);
  if (!system.shape()) return {report, {}, 1, gather(x)};
  return {report, system.shape()->rows, system.shape()->complexity, gather(x)};
}

template <class L>
std::vector<int> every_one_free(const LocalMesh& mesh) {
  return std::vector<int>(mesh.total<L>(), Space<L>::free);
}

Outcome solve_pressure(const LocalMesh& mesh) {
  return outcome_of<Cell>(mesh, pressure_matrix(mesh), every_one_free<Cell>(mesh));
}
Outcome solve_heat(const LocalMesh& mesh) { return outcome_of<Node>(mesh, heat_matrix(mesh), fixed_on_boundary(mesh)); }
/// With a fixed value at the lid alone.
Outcome solve_mixed(const LocalMesh& mesh) {
  return outcome_of<Node>(mesh, heat_matrix(mesh), prescribed_on(mesh, [](int patch) { return patch == 0; }));
}

struct MultigridCase {
  const char* name;
  Outcome (*solve)(const LocalMesh&);
  MeshSource (*make)(int, real);
  std::vector<int> sizes;
  int most;  ///< iterations
};
const std::vector<MultigridCase>& multigrid_cases() {
  static const std::vector<MultigridCase> all{{"pressure", solve_pressure, unit_square, {20, 40, 80}, 14},
                                              {"pressure in 3D", solve_pressure, unit_cube, {6, 10, 14}, 14},
                                              {"heat", solve_heat, unit_square, {30, 60, 90}, 11},
                                              {"heat in 3D", solve_heat, unit_cube, {8, 12, 18}, 11},
                                              {"heat from a lid", solve_mixed, unit_square, {30, 60, 90}, 12}};
  return all;
}

TEST(Multigrid, NeedsAsFewIterationsOnAFinerMesh_Long) {
  for (const MultigridCase& c : multigrid_cases()) {
    int coarsest = 0;
    for (const int n : c.sizes) {
      const auto mesh = make_mesh(Comm(), c.make(n, 0.2), partition_cells);
      const Outcome found = c.solve(*mesh);
      EXPECT_LE(found.report.iterations, c.most) << c.name << ", " << n;
      if (n == c.sizes.front()) coarsest = found.report.iterations;
      EXPECT_LE(found.report.iterations, coarsest + 3) << c.name << ", " << n;
      EXPECT_LE(found.complexity, 1.6) << c.name << ", " << n;
    }
  }
}

TEST(Multigrid, IsTheSameOnAnyNumberOfRanks) {
  for (const MultigridCase& c : multigrid_cases()) {
    const MeshSource source = c.make(c.sizes[0], 0.2);
    const Outcome whole = c.solve(*make_mesh(alone(), source));
    for (const NamedPartitioner& p : partitioners()) {
      const Outcome shared = c.solve(*make_mesh(Comm(), source, p.partition));
      EXPECT_EQ(shared.rows, whole.rows) << c.name << ", " << p.name;
      EXPECT_EQ(shared.complexity, whole.complexity) << c.name << ", " << p.name;
      EXPECT_EQ(shared.report.iterations, whole.report.iterations) << c.name << ", " << p.name;
      expect_equal(shared.solution, whole.solution, c.name + (", " + p.name), 1e-9);
    }
  }
}

/// <M r, s> = <r, M s> but for single precision, and <M r, r> > 0.
TEST(Multigrid, IsSymmetricAndPositive) {
  for (const MeshSource& source : {unit_square(32, 0.3), unit_cube(8, 0.2)}) {
    const auto mesh = make_mesh(Comm(), source);
    MatrixRows rows = heat_matrix(*mesh);
    Field<Node> scale(*mesh, rows.diagonal());
    halo(scale);
    const std::vector<real> diagonal = scale.all_to_host();
    SingleRows off_diagonal;
    for (int i = 0; i < rows.rows(); ++i) {
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        const int j = rows.column[k];
        if (j == i) continue;
        off_diagonal.column.push_back(j);
        off_diagonal.value.push_back(static_cast<float>(rows.value[k] / std::sqrt(diagonal[i] * diagonal[j])));
      }
      off_diagonal.offset.push_back(static_cast<int>(off_diagonal.column.size()));
    }
    std::vector<float> null;
    for (const real d : diagonal) null.push_back(static_cast<float>(std::sqrt(d)));
    const Multigrid cycle(mesh->comm(), mesh->numbering<Node>(), off_diagonal, null);
    EXPECT_GE(cycle.shape().rows.size(), 2u);
    Field<Node> r = scattered_field<Node>(*mesh, 1), s = scattered_field<Node>(*mesh, 2), mr(*mesh), ms(*mesh);
    cycle(r, mr);
    cycle(s, ms);
    EXPECT_NEAR(dot(mr, s), dot(r, ms), 1e-5 * norm(mr) * norm(s));
    EXPECT_GT(dot(mr, r), 0.1 * dot(r, r));
    EXPECT_GT(dot(ms, s), 0.1 * dot(s, s));
  }
}

/// Conductivities that jump by 1e6 from one stripe to the next.
TEST(Multigrid, BearsJumpsOfMaterial) {
  const auto mesh = make_mesh(Comm(), unit_square(60, 0.2));
  Field<Face> conductance(*mesh, inner_conductance(*mesh));
  std::vector<real> values = conductance.to_host();
  for (int f = 0; f < conductance.owned(); ++f) {
    const real x = mesh->geometry().face_centre[f].x;
    if (static_cast<int>(8 * x) % 2 == 0) values[f] *= 1e6;
  }
  conductance.from_host(values);
  const Outcome found = outcome_of<Cell>(*mesh, two_point_laplacian(*mesh, conductance), every_one_free<Cell>(*mesh));
  EXPECT_LE(found.report.iterations, 18);
}

/// Cells that shrink towards a corner by a factor of 1e4 in each direction.
TEST(Multigrid, BearsGradedMeshes) {
  MeshSource source = unit_square(60);
  for (Vec3& x : source.points) x = {std::pow(x.x, real{2.3}), std::pow(x.y, real{2.3}), 0};
  const Outcome found = solve_pressure(*make_mesh(Comm(), source));
  EXPECT_LE(found.report.iterations, 25);
}

/// Two parts that nothing connects: each has a constant of its own.
/// The cells of a square flattened by `aspect`; and layers at a wall, each thicker than the one before, where the
/// first cells are as flat.
TEST(Multigrid, BearsStretchedMeshes) {
  constexpr int n = 48;
  const auto solve = [](const MeshSource& source, const std::string& what) {
    const auto mesh = make_mesh(Comm(), source);
    EXPECT_LE(solve_pressure(*mesh).report.iterations, 16) << "pressure, " << what;
    EXPECT_LE(solve_heat(*mesh).report.iterations, 16) << "heat, " << what;
  };
  for (const real aspect : {1, 10, 100}) {
    MeshSource flat = unit_square(n);
    for (Vec3& x : flat.points) x.y /= aspect;
    solve(flat, message("aspect {}", aspect));
  }
  for (const real aspect : {10, 100, 1000}) {
    MeshSource layers = unit_square(n);
    for (Vec3& x : layers.points) x.y = (std::pow(aspect, x.y) - 1) / (aspect - 1);
    solve(layers, message("layers, aspect {}", aspect));
  }
}

TEST(Multigrid, SolvesPartsThatTouchNowhere) {
  const MeshSource source = without_cells(
      unit_square(40), [](const Vec3& x) { return std::abs(x.x - real{0.5}) < real{0.1}; }, "gap");
  const auto mesh = make_mesh(Comm(), source);
  const MatrixRows rows = pressure_matrix(*mesh);
  const auto is_left = [&](int cell) { return mesh->geometry().cell_centre[cell].x < real{0.5}; };
  Field<Cell> b = scattered_field<Cell>(*mesh, 3), x(*mesh);
  std::vector<real> values = b.to_host(), sums(4, 0);
  for (int c = 0; c < b.owned(); ++c) sums[is_left(c)] += values[c], sums[2 + is_left(c)] += 1;
  mesh->comm().sum(std::span<real>(sums));
  for (int c = 0; c < b.owned(); ++c) values[c] -= sums[is_left(c)] / sums[2 + is_left(c)];
  b.from_host(values);
  const Space<Cell> space(*mesh, every_one_free<Cell>(*mesh));
  LinearSystem<Cell> system(space, rows, PreconditionerKind::multigrid);
  const SolveReport report = system.solve(b, x, {"test", 1e-8, 100, PreconditionerKind::multigrid});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 14);
}

/// Heat around holes: a wall at zero, two more walls of one unknown temperature each, which all ranks share.
TEST(Multigrid, SolvesForTiedGroups) {
  const auto square = [](int n) {
    return without_cells(
        unit_square(n, 0.2),
        [](const Vec3& x) {
          return (std::abs(x.x - real{0.3}) < real{0.12} || std::abs(x.x - real{0.7}) < real{0.12}) &&
                 std::abs(x.y - real{0.5}) < real{0.2};
        },
        "hole");
  };
  const auto role = [](const LocalMesh& mesh) {
    std::vector<int> roles = prescribed_on(mesh, [](int patch) { return patch < 2; });
    const std::vector<int> on_holes = prescribed_on(mesh, [](int patch) { return patch == 2; });
    for (std::size_t i = 0; i < roles.size(); ++i) {
      if (on_holes[i] == Space<Node>::prescribed) roles[i] = mesh.part().points[i].x < real{0.5} ? 0 : 1;
    }
    return roles;
  };
  for (const int n : {24, 48}) {
    const auto whole = make_mesh(alone(), square(n));
    const Outcome expected = outcome_of<Node>(*whole, heat_matrix(*whole), role(*whole));
    EXPECT_LE(expected.report.iterations, 13) << n;
    const Outcome by_jacobi = outcome_of<Node>(*whole, heat_matrix(*whole), role(*whole), PreconditionerKind::jacobi);
    EXPECT_GT(by_jacobi.report.iterations, 5 * expected.report.iterations);
    expect_equal(expected.solution, by_jacobi.solution, "as with jacobi", 1e-6);
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), square(n), p.partition);
      const Outcome found = outcome_of<Node>(*mesh, heat_matrix(*mesh), role(*mesh));
      EXPECT_EQ(found.rows, expected.rows) << p.name;
      EXPECT_EQ(found.report.iterations, expected.report.iterations) << p.name;
      expect_equal(found.solution, expected.solution, p.name, 1e-9);
    }
  }
}

/// A mass that outweighs diffusion leaves nothing to coarsen: the work must not grow.
TEST(Multigrid, KeepsToTheSmootherWhereMassOutweighs) {
  const auto mesh = make_mesh(Comm(), unit_square(40, 0.2));
  MatrixRows rows = p1_stiffness(*mesh);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      if (rows.column[k] == i) rows.value[k] += 1e6;
    }
  }
  const Outcome found = outcome_of<Node>(*mesh, rows, every_one_free<Node>(*mesh));
  EXPECT_LE(found.report.iterations, 3);
  EXPECT_LE(found.complexity, 1.6);
}

/// K + mass W with the multigrid of one mass, as steps of changing length take it.
TEST(Multigrid, ServesStepsOfOtherLengths) {
  const auto mesh = make_mesh(Comm(), unit_square(60, 0.2));
  const Space<Node> space(*mesh, every_one_free<Node>(*mesh));
  const std::vector<real> weight = p1_lumped_mass(*mesh);
  const auto rows_with = [&](real mass) {
    MatrixRows rows = p1_stiffness(*mesh);
    for (int i = 0; i < rows.rows(); ++i) {
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        if (rows.column[k] == i) rows.value[k] += mass * weight[i];
      }
    }
    return rows;
  };
  const Field<Node> b = scattered_field<Node>(*mesh, 3);
  const auto solve = [&](LinearSystem<Node>& system, std::vector<real>& solution) {
    Field<Node> x(*mesh);
    const SolveReport report = system.solve(b, x, {"test", 1e-8, 100, PreconditionerKind::multigrid});
    EXPECT_TRUE(report.converged);
    solution = gather(x);
    return report.iterations;
  };
  for (const real mass : {real{1}, real{100}, real{10000}}) {
    LinearSystem<Node> kept(space, rows_with(mass), PreconditionerKind::multigrid);
    std::vector<real> first, found, expected;
    const int iterations = solve(kept, first);
    for (const real factor : {real{0.5}, real{2}}) {
      LinearSystem<Node> anew(space, rows_with(factor * mass), PreconditionerKind::multigrid);
      kept.set_matrix(rows_with(factor * mass));
      const int of_kept = solve(kept, found), of_anew = solve(anew, expected);
      EXPECT_LE(of_kept, of_anew + 5) << mass << " " << factor;
      expect_equal(found, expected, "as anew", 1e-6);
    }
    kept.set_matrix(rows_with(mass));
    EXPECT_EQ(solve(kept, found), iterations);
    EXPECT_EQ(found, first) << "not a bit is lost on the way";
  }
}

TEST(Multigrid, SolvesTheSmallest) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const int cells : {1, 2, 3}) {
      const auto mesh = make_mesh(Comm(), strip(cells), p.partition);
      EXPECT_LE(solve_pressure(*mesh).report.iterations, 2) << cells << ", " << p.name;
      EXPECT_LE(solve_mixed(*mesh).report.iterations, 2) << cells << ", " << p.name;
    }
  }
}

/// In units in which single precision would not hold the numbers.
TEST(Multigrid, SolvesInAnyUnits) {
  const auto mesh = make_mesh(Comm(), unit_square(30, 0.2));
  const MatrixRows rows = heat_matrix(*mesh);
  const Outcome expected = outcome_of<Node>(*mesh, rows, fixed_on_boundary(*mesh));
  for (const int exponent : {-300, -100, 100, 300}) {
    MatrixRows scaled = rows;
    for (real& value : scaled.value) value = std::ldexp(value, 2 * exponent);
    Outcome found = outcome_of<Node>(*mesh, scaled, fixed_on_boundary(*mesh));
    EXPECT_EQ(found.report.iterations, expected.report.iterations);
    for (real& value : found.solution) value = std::ldexp(value, 2 * exponent);
    EXPECT_EQ(found.solution, expected.solution) << exponent;
  }
}

}  // namespace
}  // namespace solenoid::test
