/// CG with operators that are stated and with preconditioners that are more than a diagonal: fewer iterations, the same
/// solution, on any partition; and one that is not definite.
#include "solve/operator_solver.hpp"

#include <gtest/gtest.h>

#include <array>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/p1.hpp"
#include "solve/linear_system.hpp"
#include "solve/solution_history.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// A Laplace problem on nodes: outer walls zero, a hole's wall one unknown, scattered values on the right.
struct Laplace {
  std::unique_ptr<LocalMesh> mesh;
  MatrixRows rows;
  SparseMatrix<Node> matrix;
  Space<Node> space;
  Field<Node> diagonal, b, x;

  static std::vector<int> roles(const MeshPart& part) {
    std::vector<int> role;
    for (int wall : part.node_boundary_loop) {
      role.push_back(wall < 0 ? Space<Node>::free : part.boundary_loop_is_hole[wall] ? 0 : Space<Node>::prescribed);
    }
    return role;
  }
  Laplace(const MeshSource& source, const Partitioner& partition)
      : mesh(make_mesh(Comm(), source, partition)),
        rows(p1_stiffness(*mesh)),
        matrix(rows),
        space(*mesh, roles(mesh->part())),
        diagonal(*mesh, rows.diagonal()),
        b(scattered_field<Node>(*mesh, 3)),
        x(*mesh) {
    space.restrict_to_unknowns(b);
    space.restrict_diagonal([&](Field<Node>& v, Field<Node>& product) { product = matrix * halo(v); }, diagonal);
  }
};

/// Sweeps of damped Jacobi from zero: a polynomial of D^-1 A times D^-1, symmetric, and definite for this damping.
struct JacobiSweeps {
  const Laplace& problem;
  int sweeps;
  real damping;
  Field<Node>& product;
  int& calls;

  void operator()(Field<Node>& r, Field<Node>& z) const {
    ++calls;
    z = damping * (r / problem.diagonal);
    for (int k = 1; k < sweeps; ++k) {
      problem.space.restrict_to_unknowns(z);
      product = problem.matrix * halo(z);
      z = z + damping * ((r - product) / problem.diagonal);
    }
  }
};
static_assert(Preconditioner<JacobiSweeps, Node> && !PointwisePreconditioner<JacobiSweeps, Node>);
static_assert(PointwisePreconditioner<Identity<Node>, Node>);
static_assert(FactoredOperator<MatrixOperator<Node>, Node>);
static_assert(!LinearOperator<MatrixOperator<Node>, Cell>);

/// A matrix that counts its products.
struct Counted {
  const SparseMatrix<Node>& matrix;
  int& products;
  const SparseMatrix<Node>& last() const { return matrix; }
  Field<Node>& inner(Field<Node>& x) const { return ++products, x; }
};

/// One product to begin with, where the image of the guess is not known, and one at the end, unless the tolerance is
/// loose and the iterations are few.
TEST(OperatorSolver, TakesNoProductMoreThanItNeeds) {
  const auto beyond_iterations = [](int n, real tolerance, bool has_image) {
    Laplace problem(square_with_hole(n), partition_cells);  // a tied group: the host looks at every iteration
    int products = 0;
    OperatorSolver<Node> solver(problem.space);
    const Field<Node> nothing(*problem.mesh);
    const SolveControl control{"test", tolerance, 1000, PreconditionerKind::jacobi};
    const SolveReport report = solver.solve(Counted{problem.matrix, products}, problem.diagonal, problem.b, problem.x,
                                            control, has_image ? &nothing : nullptr);
    EXPECT_EQ(report.iterations > 50, n > 50) << report.iterations;
    Field<Node> left(*problem.mesh);
    left = problem.b - problem.matrix * halo(problem.x);
    problem.space.restrict_to_unknowns(left);
    EXPECT_LE(norm(left), 1.01 * tolerance * norm(problem.b));
    return products - report.iterations;
  };
  EXPECT_EQ(beyond_iterations(12, 1e-4, false), 1);
  EXPECT_EQ(beyond_iterations(12, 1e-4, true), 0);
  EXPECT_EQ(beyond_iterations(12, 1e-6, true), 1);
  EXPECT_EQ(beyond_iterations(90, 1e-4, true), 1);
}

TEST(OperatorSolver, AGuessFromThePastComesWithItsImage) {
  for (const NamedPartitioner& p : partitioners()) {
    Laplace problem(square_with_hole(12), p.partition);
    const Field<Node> mass(*problem.mesh, p1_lumped_mass(*problem.mesh));
    const SolutionHistory<Node>::Apply apply = [&](Field<Node>& x, std::span<Field<Node>> images) {
      images[0] = problem.matrix * halo(x);
      images[1] = mass * x;
      for (Field<Node>& image : images) problem.space.restrict_to_unknowns(image);
    };
    SolutionHistory<Node> past(problem.space, 2, SolutionHistory<Node>::Images::all);
    Field<Node> x(*problem.mesh), image(*problem.mesh), expected(*problem.mesh);
    EXPECT_FALSE(past.guess(std::array{real{3}, real{0.5}}, problem.b, x, &image));
    for (int salt = 1; salt < 7; ++salt) {  // the first two have gone when the last one comes
      x = scattered_field<Node>(*problem.mesh, salt);
      problem.space.restrict_to_unknowns(x);
      past.keep(x, apply);
    }
    for (const bool is_renewed : {false, true}) {
      if (is_renewed) past.renew_images(apply);
      ASSERT_TRUE(past.guess(std::array{real{3}, real{0.5}}, problem.b, x, &image));
      EXPECT_GT(norm(x), 0);
      expected = real{3} * (problem.matrix * halo(x)) + real{0.5} * (mass * x);
      problem.space.restrict_to_unknowns(expected);
      problem.space.restrict_to_unknowns(image);
      expect_equal(gather(image), gather(expected), p.name, 1e-12);
    }
  }
}

/// A matrix in single precision.
struct SingleMatrix {
  const SparseMatrix<Node, Node, float>& matrix;
  const SparseMatrix<Node, Node, float>& last() const { return matrix; }
  Field<Node, float>& inner(Field<Node, float>& x) const { return x; }
};
static_assert(FactoredOperator<SingleMatrix, Node, float> && !FactoredOperator<SingleMatrix, Node>);

/// The residual is there in double precision too, from guesses that are known to more digits than single precision has,
/// for numbers that it does not hold, and with prescribed and tied values.
TEST(OperatorSolver, IteratesInSinglePrecision) {
  constexpr real tolerance = 1e-4;
  const SolveControl control{"test", tolerance, 1000, PreconditionerKind::jacobi};
  for (const NamedPartitioner& p : partitioners()) {
    for (const real unit : {real{1}, real{1e-80}, real{1e80}}) {
      Laplace problem(square_with_hole(12), p.partition);
      const SparseMatrix<Node, Node, float> single(problem.matrix, real{0.25});
      OperatorSolver<Node> solver(problem.space);
      Field<Node> in_double(*problem.mesh), left(*problem.mesh);
      const int iterations =
          solver.solve(MatrixOperator<Node>{problem.matrix}, problem.diagonal, problem.b, in_double, control)
              .iterations;
      problem.b = unit * problem.b;
      for (const bool has_guess : {false, true}) {
        if (has_guess) problem.b = real{0.999} * problem.b;
        const SolveReport report = solver.solve_in_single(MatrixOperator<Node>{problem.matrix}, SingleMatrix{single}, 4,
                                                          problem.diagonal, problem.b, problem.x, control);
        const std::string what = message("{}, in units of {}{}", p.name, unit, has_guess ? ", with a guess" : "");
        EXPECT_TRUE(report.converged) << what;
        EXPECT_LE(report.iterations, iterations + (has_guess ? -1 : 1)) << what;
        left = problem.b - problem.matrix * halo(problem.x);
        problem.space.restrict_to_unknowns(left);
        left = (1 / unit) * left;
        problem.b = (1 / unit) * problem.b;
        EXPECT_LE(norm(left), 1.01 * tolerance * norm(problem.b)) << what;
        problem.b = unit * problem.b;
      }
    }
  }
}

TEST(OperatorSolver, TakesFewerIterationsWithABetterPreconditioner) {
  const SolveControl control{"test", 1e-12, 1000, PreconditionerKind::jacobi};
  for (const MeshSource& source : {unit_square(14, 0.3), square_with_hole(12)}) {
    for (const NamedPartitioner& p : partitioners()) {
      Laplace problem(source, p.partition);
      const MatrixOperator<Node> a{problem.matrix};
      LinearSystem<Node>(problem.space, problem.rows, PreconditionerKind::jacobi).solve(problem.b, problem.x, control);
      const std::vector<real> expected = gather(problem.x);

      OperatorSolver<Node> solver(problem.space);
      Field<Node> pointwise(*problem.mesh), swept(*problem.mesh), product(*problem.mesh);
      const SolveReport plain = solver.solve(a, problem.diagonal, problem.b, pointwise, control);
      expect_equal(gather(pointwise), expected, p.name + ", pointwise", 5e-11);
      int calls = 0;
      const SolveReport better =
          solver.solve(a, JacobiSweeps{problem, 5, real{0.6}, product, calls}, problem.b, swept, control);
      expect_equal(gather(swept), expected, p.name + ", sweeps", 5e-11);
      EXPECT_TRUE(better.converged);
      EXPECT_LE(better.residual, 1e-12) << p.name;
      EXPECT_LT(2 * better.iterations, plain.iterations) << p.name;
      EXPECT_LE(calls, better.iterations + 2) << p.name << ": one a cycle, and one for each start";
      EXPECT_EQ(
          solver.solve(a, JacobiSweeps{problem, 5, real{0.6}, product, calls}, problem.b, swept, control).iterations, 0)
          << p.name;
    }
  }
}

/// One sweep is Jacobi's preconditioner: whether it comes as a diagonal or as a call, the iterates are the same.
TEST(OperatorSolver, IteratesAlikeInBothForms) {
  const SolveControl control{"test", 1e-10, 1000, PreconditionerKind::jacobi};
  for (const NamedPartitioner& p : partitioners()) {
    Laplace problem(square_with_hole(12), p.partition);
    const MatrixOperator<Node> a{problem.matrix};
    const auto stated = [&](Field<Node>& v, Field<Node>& result) { result = problem.matrix * halo(v); };
    OperatorSolver<Node> solver(problem.space);
    Field<Node> first(*problem.mesh), second(*problem.mesh), third(*problem.mesh), product(*problem.mesh);
    int calls = 0;
    const int iterations = solver.solve(a, problem.diagonal, problem.b, first, control).iterations;
    const std::vector<real> expected = gather(first);
    EXPECT_NEAR(solver.solve(stated, problem.diagonal, problem.b, second, control).iterations, iterations, 1) << p.name;
    expect_equal(gather(second), expected, p.name + ", a stated operator", 5e-9);
    EXPECT_NEAR(solver.solve(a, JacobiSweeps{problem, 1, 1, product, calls}, problem.b, third, control).iterations,
                iterations, 1)
        << p.name;
    expect_equal(gather(third), expected, p.name + ", a call", 5e-9);
  }
}

TEST(OperatorSolver, LeavesPrescribedEntriesOfTheGuess) {
  const SolveControl control{"test", 1e-10, 1000, PreconditionerKind::jacobi};
  for (const NamedPartitioner& p : partitioners()) {
    Laplace problem(unit_square(8), p.partition);
    Field<Node> product(*problem.mesh);
    int calls = 0;
    problem.space.set_prescribed(problem.x, 7);
    OperatorSolver<Node> solver(problem.space);
    solver.solve(MatrixOperator<Node>{problem.matrix}, JacobiSweeps{problem, 3, real{0.6}, product, calls}, problem.b,
                 problem.x, control);
    const std::vector<real> found = problem.x.to_host();
    for (int n = 0; n < problem.x.owned(); ++n) {
      EXPECT_EQ(found[n] == 7, problem.space.role()[n] == Space<Node>::prescribed) << p.name;
    }
  }
}

TEST(OperatorSolver, NamesAPreconditionerThatIsNotDefinite) {
  Laplace problem(unit_square(8), partition_cells);
  Field<Node> product(*problem.mesh);
  int calls = 0;
  OperatorSolver<Node> solver(problem.space);
  const auto failure_with = [&](int sweeps, real damping) -> std::string {
    try {
      problem.x.from_host(std::vector<real>(problem.x.owned(), 0));
      solver.solve(MatrixOperator<Node>{problem.matrix}, JacobiSweeps{problem, sweeps, damping, product, calls},
                   problem.b, problem.x, {"test", 1e-10, 100, PreconditionerKind::jacobi});
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      return std::string(error.what()).substr(0, 68);
    }
    return "no failure";
  };
  const std::string named = "[solver.test] broke down: the preconditioner is not positive definit";
  EXPECT_EQ(failure_with(1, -1), named);
  EXPECT_EQ(failure_with(2, 4), named);  // 2 w - w^2 lambda is negative where lambda, an eigenvalue of D^-1 A, is large
  EXPECT_EQ(failure_with(2, real{0.6}), "no failure");
}

}  // namespace
}  // namespace solenoid::test
