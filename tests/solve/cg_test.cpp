/// Conjugate gradients over spaces of unknowns: against dense elimination, with tied groups, and how it fails.
#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/solver_advice.hpp"
#include "operators/p1.hpp"
#include "reference/serial.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// A Laplace problem on nodes: stiffness, right-hand side scattered, outer walls zero, a hole's wall one unknown.
struct Problem {
  std::unique_ptr<LocalMesh> mesh;
  MatrixRows rows;
  SparseMatrix<Node> matrix;
  Space<Node> space;
  Field<Node> b, x;

  static std::vector<int> roles(const MeshPart& part) {
    std::vector<int> role;
    for (int wall : part.node_boundary_loop) {
      role.push_back(wall < 0 ? Space<Node>::free : part.boundary_loop_is_hole[wall] ? 0 : Space<Node>::prescribed);
    }
    return role;
  }
  explicit Problem(const MeshSource& source, const Partitioner& partition = partition_cells)
      : mesh(make_mesh(Comm(), source, partition)),
        rows(p1_stiffness(*mesh)),
        matrix(rows),
        space(*mesh, roles(mesh->part())),
        b(scattered_field<Node>(*mesh, 3)),
        x(*mesh) {
    space.restrict_to_unknowns(b);
  }
  SolveReport solve(const SolveControl& control) {
    return LinearSystem<Node>(space, rows, control.preconditioner).solve(b, x, control);
  }
};

/// The same problem by elimination on the whole mesh.
std::vector<real> by_elimination(const MeshSource& source) {
  const SerialMesh serial(source);
  const int n = serial.mesh.nodes();
  std::vector<int> unknown(n, -1);
  int unknowns = 0, group = -1;
  for (int i = 0; i < n; ++i) {
    const int wall = serial.mesh.node_boundary_loop[i];
    if (wall >= 0 && !serial.mesh.boundary_loop_is_hole[wall]) continue;
    if (wall >= 0) {
      if (group < 0) group = unknowns++;
      unknown[i] = group;
    } else {
      unknown[i] = unknowns++;
    }
  }
  std::vector<real> a(static_cast<std::size_t>(unknowns) * unknowns, 0), b(unknowns, 0);
  for (int j = 0; j < n; ++j) {
    if (unknown[j] < 0) continue;
    std::vector<real> e(n, 0);
    e[j] = 1;
    const std::vector<real> column = serial.stiffness(e);
    for (int i = 0; i < n; ++i) {
      if (unknown[i] >= 0) a[unknown[i] * unknowns + unknown[j]] += column[i];
    }
    b[unknown[j]] += value_of(j, 3);
  }
  const std::vector<real> solution = solve_dense(a, b);
  std::vector<real> x(n, 0);
  for (int i = 0; i < n; ++i) {
    if (unknown[i] >= 0) x[i] = solution[unknown[i]];
  }
  return x;
}

TEST(Cg, EqualsEliminationOnAnyPartition) {
  for (const MeshSource& source : {unit_square(8, 0.3), square_with_hole(9)}) {
    const std::vector<real> expected = by_elimination(source);
    for (const NamedPartitioner& p : partitioners()) {
      for (PreconditionerKind kind : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
        Problem problem(source, p.partition);
        const SolveReport report = problem.solve({"test", 1e-14, 2000, kind});
        EXPECT_TRUE(report.converged);
        const std::vector<real> found = gather(problem.x);
        for (std::size_t i = 0; i < found.size(); ++i)
          EXPECT_NEAR(found[i], expected[i], 1e-12) << p.name << " node " << i;
      }
    }
  }
}

TEST(Cg, CountsATiedGroupAsOneUnknown) {
  for (const NamedPartitioner& p : partitioners()) {
    Problem problem(square_with_hole(9), p.partition);
    const GlobalMesh whole = build_topology(square_with_hole(9));
    const auto free = std::count(whole.node_boundary_loop.begin(), whole.node_boundary_loop.end(), -1);
    EXPECT_EQ(problem.space.unknowns(), free + 1) << p.name;
    problem.solve({"test", 1e-10, 2000, PreconditionerKind::jacobi});
    const std::vector<real> x = gather(problem.x);
    real on_hole = 0;
    for (int n = 0; n < whole.nodes(); ++n) {
      if (whole.node_boundary_loop[n] < 0 || !whole.boundary_loop_is_hole[whole.node_boundary_loop[n]]) continue;
      if (on_hole == 0) on_hole = x[n];
      EXPECT_EQ(x[n], on_hole);
    }
    EXPECT_NE(on_hole, 0);
  }
}

TEST(Cg, ReachesTheToleranceItReports) {
  Problem problem(unit_square(16, 0.3));
  for (real tolerance : {1e-2, 1e-6, 1e-10}) {
    const SolveReport report = problem.solve({"test", tolerance, 2000, PreconditionerKind::jacobi});
    EXPECT_LE(report.residual, tolerance);
    Field<Node> residual(*problem.mesh);
    residual = problem.matrix * halo(problem.x);
    problem.space.restrict_to_unknowns(residual);
    residual = problem.b - residual;
    const real b_norm = norm(problem.b);
    EXPECT_LE(norm(residual), 1.01 * tolerance * b_norm + 1e-14 * b_norm);
  }
}

TEST(Cg, TakesNoStepWhereTheGuessIsRight) {
  Problem problem(unit_square(8));
  problem.b = real{0} * problem.b;
  EXPECT_EQ(problem.solve({"test", 1e-8, 10, PreconditionerKind::jacobi}).iterations, 0);
}

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_TRUE(error.collective());
    EXPECT_EQ(error.code(), ExitCode::failure);
    return error.what();
  }
  return "no failure";
}

TEST(Cg, FailsClearly) {
  Problem problem(unit_square(16));
  const auto advised = [](const SolveControl& control) {
    SolveControl result = control;
    if (control.name == "potential") result.advice = potential_advice();
    if (control.name == "vorticity") result.advice = vorticity_advice();
    if (control.name == "heat") result.advice = heat_advice();
    return result;
  };
  const auto limited = [&](const char* name) {
    return failure_of([&] { problem.solve(advised({name, 1e-10, 3, PreconditionerKind::jacobi})); });
  };
  const auto expect_start = [](const std::string& found, const std::string& expected) {
    EXPECT_EQ(found.substr(0, expected.size()), expected);
  };
  expect_start(limited("potential"),
               "[solver.potential] did not converge: raise max_iterations, set preconditioner = \"multigrid\", take a "
               "looser tolerance, or take a smaller "
               "time step (`step` or `cfl` in [time]) (CG");
  expect_start(limited("vorticity"),
               "[solver.vorticity] did not converge: raise max_iterations, set preconditioner = \"multigrid\", take a "
               "looser tolerance, or check the "
               "mesh's worst cells (solenoid check) (CG");
  expect_start(limited("heat"),
               "[solver.heat] did not converge: raise max_iterations, set preconditioner = \"multigrid\", take a "
               "looser tolerance, or check the mesh's "
               "worst cells (solenoid check); a smaller `step` in [time] helps a transient run (CG");

  Problem poisoned(unit_square(8));
  const std::vector<real> nan(poisoned.b.owned(), std::nan(""));
  poisoned.b.from_host(nan);
  const auto not_finite = [&](const char* name) {
    return failure_of([&] { poisoned.solve(advised({name, 1e-8, 10, PreconditionerKind::jacobi})); });
  };
  expect_start(not_finite("potential"),
               "[solver.potential] met a value that is not finite: the flow has diverged; take a smaller time step");
  expect_start(not_finite("heat"),
               "[solver.heat] met a value that is not finite: check that none of the temperatures, sources");

  Problem indefinite(unit_square(8));
  for (std::size_t k = 0; k < indefinite.rows.value.size(); ++k) indefinite.rows.value[k] *= -1;
  EXPECT_NE(failure_of([&] {
              indefinite.solve({"heat", 1e-8, 10, PreconditionerKind::jacobi});
            }).find("a diagonal entry that is not positive"),
            std::string::npos);
  const auto broken_down = [&](const char* name) {
    return failure_of([&] { indefinite.solve(advised({name, 1e-8, 10, PreconditionerKind::none})); });
  };
  expect_start(broken_down("potential"),
               "[solver.potential] broke down: the matrix is not positive definite to round-off; check the viscosity");
  expect_start(broken_down("heat"),
               "[solver.heat] broke down: the matrix is not positive definite to round-off; check the conductivity and "
               "the heat capacity, or");
  expect_start(broken_down("test"),
               "[solver.test] broke down: the matrix is not positive definite to round-off; check the coefficients, or "
               "check the mesh's worst cells (solenoid check) (CG");
}

}  // namespace
}  // namespace solenoid::test
