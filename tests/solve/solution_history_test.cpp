/// First guesses from the last solutions: what is in their span is found, what is not is approached as near as they
/// allow, and what they are not of is left alone.
#include "solve/solution_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/systems.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "mesh/mesh_source.hpp"
#include "operators/p1.hpp"
#include "physics/flow/momentum/vorticity_momentum_system.hpp"
#include "solve/linear_system.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

SolveControl to_round_off() {
  SolveControl control;
  control.name = "test";
  control.tolerance = 1e-13;
  return control;
}

/// K + W of conduction with the boundary prescribed, and right-hand sides for it.
struct Conduction {
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), unit_square(12));
  Space<Node> space{*mesh, fixed_on_boundary(*mesh)};
  MatrixRows rows = p1_stiffness(*mesh);
  LinearSystem<Node> system{space, rows, PreconditionerKind::jacobi};
  SolutionHistory<Node> past{space};

  Field<Node> load(int salt) const {
    Field<Node> b = scattered_field<Node>(*mesh, salt);
    space.restrict_to_unknowns(b);
    return b;
  }
  Field<Node> solution(const Field<Node>& b) {
    Field<Node> x(*mesh);
    system.solve(b, x, to_round_off());
    return x;
  }
  void solve_and_keep(const Field<Node>& b) {
    Field<Node> x(*mesh);
    system.solve(b, x, to_round_off(), past);
  }
  void expect_guess(const Field<Node>& b, const Field<Node>& expected, const std::string& what) {
    Field<Node> x(*mesh);
    past.guess(std::array{real{1}}, b, x);
    expect_equal(x.to_host(), expected.to_host(), what, 1e-9);
  }
};

TEST(SolutionHistory, FindWhatIsInTheirSpan) {
  Conduction c;
  Field<Node> first = c.load(1), second = c.load(2), b(*c.mesh);
  c.solve_and_keep(first);
  c.solve_and_keep(second);
  b = 3 * first - 0.5 * second;
  c.expect_guess(b, c.solution(b), "of two");

  for (int salt = 3; salt < 3 + past_solutions; ++salt) c.solve_and_keep(c.load(salt));
  b = 2 * c.load(3) + c.load(4) - c.load(5) + 7 * c.load(6);
  c.expect_guess(b, c.solution(b), "of the last ones alone");
}

/// Galerkin's condition: the residual of the guess has no part in their span.
TEST(SolutionHistory, LeaveTheLeastError) {
  Conduction c;
  std::vector<Field<Node>> kept;
  for (int salt = 1; salt <= 3; ++salt) {
    kept.push_back(c.solution(c.load(salt)));
    c.solve_and_keep(c.load(salt));
  }
  Field<Node> b = c.load(9), x(*c.mesh), error = c.solution(b), image(*c.mesh);
  c.past.guess(std::array{real{1}}, b, x);
  error = error - x;
  const real before = norm(b);
  image = b - SparseMatrix<Node>(c.rows) * halo(x);
  c.space.restrict_to_unknowns(image);
  for (Field<Node>& y : kept) EXPECT_LE(std::abs(dot(y, image)), 1e-10 * norm(y) * before);
  EXPECT_GT(norm(error), 0);
}

TEST(SolutionHistory, OfLittleDifferenceAreOne) {
  Conduction c;
  const Field<Node> b = c.load(1);
  for (int k = 0; k < past_solutions; ++k) c.solve_and_keep(b);
  c.expect_guess(b, c.solution(b), "of four times the same");
}

TEST(SolutionHistory, LeaveWhatIsPrescribedAndWhatComesBeforeThem) {
  Conduction c;
  Field<Node> x(*c.mesh);
  x = scattered_field<Node>(*c.mesh, 5);
  const std::vector<real> given = x.to_host();
  const Field<Node> b = c.load(1);
  c.past.guess(std::array{real{1}}, b, x);
  EXPECT_EQ(x.to_host(), given);

  c.solve_and_keep(b);
  c.past.guess(std::array{real{1}}, b, x);
  const std::vector<real> guess = x.to_host();
  for (int i = 0; i < x.owned(); ++i) {
    if (c.space.role()[i] != Space<Node>::prescribed) continue;
    EXPECT_EQ(guess[i], given[i]) << i;
  }
}

TEST(SolutionHistory, ServeTheNextMatrixOnceTheirImagesAreIts) {
  Conduction c;
  const Field<Node> b = c.load(1);
  c.solve_and_keep(b);
  MatrixRows fourfold = c.rows;
  for (real& value : fourfold.value) value *= 4;
  const LinearSystem<Node> next(c.space, fourfold, PreconditionerKind::jacobi);
  next.renew_images(c.past);
  Field<Node> expected = c.solution(b);
  expected = 0.25 * expected;
  c.expect_guess(b, expected, "a fourth");
}

/// A load that wanders, for steps whose length changes a little: the implicit half of the exact step.
TEST(SolutionHistory, SaveAThirdOfTheIterationsOfSmoothSteps) {
  const auto mesh = make_mesh(Comm(), unit_square(24));
  const MatrixRows rows = p1_stiffness(*mesh);
  const SparseMatrix<Edge> laplacian(rows);
  const Space<Edge> space(*mesh, fixed_on_boundary(*mesh));
  const std::vector<real> masses = p1_lumped_mass(*mesh);
  std::vector<real> inverse_masses;
  for (const real m : masses) inverse_masses.push_back(1 / m);
  Field<Edge> mass(*mesh, masses), inverse(*mesh, inverse_masses), b(*mesh);
  LinearSystem<Edge> potential(space, rows, PreconditionerKind::multigrid);
  const real rate = bound_of_rate(space, rows, mass);
  SolveControl control = to_round_off();
  control.tolerance = 1e-8;
  const auto iterations = [&](VorticityMomentumSystem& momentum, real alpha) {
    Field<Edge> s(*mesh);
    return momentum.solve(alpha, 0.01, b, s, control).iterations;
  };
  VorticityMomentumSystem with_past(space, rows, laplacian, near_inverse_of(potential), mass, inverse, rate);
  int from_past = 0, from_zero = 0;
  for (int step = 0; step < 12; ++step) {
    const real angle = 0.02 * step, alpha = 10 * (1 + 0.01 * std::sin(step));
    const Vec3 centre{0.5 + 0.2 * std::cos(angle), 0.5 + 0.2 * std::sin(angle), 0};
    std::vector<real> load;
    for (std::size_t n = 0; n < masses.size(); ++n) {
      const Vec3 away = mesh->part().points[n] - centre;
      load.push_back(masses[n] * std::exp(-20 * dot(away, away)));
    }
    b.from_host(load);
    space.restrict_to_unknowns(b);
    VorticityMomentumSystem fresh(space, rows, laplacian, near_inverse_of(potential), mass, inverse, rate);
    const int its = iterations(with_past, alpha), of_fresh = iterations(fresh, alpha);
    if (step < past_solutions) continue;
    from_past += its;
    from_zero += of_fresh;
  }
  EXPECT_GT(from_past, 0);
  EXPECT_LE(3 * from_past, 2 * from_zero);
}

}  // namespace
}  // namespace solenoid::test
