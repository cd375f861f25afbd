/// Preconditioned conjugate gradients over the unknowns of a space. For files that launch kernels.
#pragma once

#include <cmath>

#include "base/phases.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/solver.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Sum over the space's unknowns of x y. Collective.
template <class L>
real dot(const Space<L>& space, const Field<L>& x, const Field<L>& y) {
  const auto weight = space.weight();
  const auto a = x.view(), b = y.view();
  return space.mesh().comm().sum(reduce_sum(
      x.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        return weight[k] * a[k] * b[k];
      }));
}

/// x += step p and r -= step q in one pass that returns r.r over the space's unknowns. Collective.
template <class L>
real advance(const Space<L>& space, real step, const Field<L>& direction, const Field<L>& image, Field<L>& x,
             Field<L>& r) {
  const auto weight = space.weight();
  const auto p = direction.view(), q = image.view();
  const auto solution = x.view(), residual = r.view();
  return space.mesh().comm().sum(reduce_sum(
      x.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        solution[k] += step * p[k];
        residual[k] -= step * q[k];
        return weight[k] * residual[k] * residual[k];
      }));
}

/// Solves A x = b for the unknowns of `space`, starting from x (Hestenes & Stiefel 1952; thesis, algorithm 1).
/// `a(x, y)` and `preconditioner(x, y)` return values over unknowns (Space::restrict_to_unknowns); b is restricted.
/// Prescribed entries of x are left as they are: their share belongs into b. Throws a collective Error (exit code 1)
/// when the tolerance is not reached, when A or P is not positive definite, or when a value is not finite. Collective.
template <class L, LinearOperator<L> A, Preconditioner<L> P>
SolveReport cg(const A& a, const P& preconditioner, const Space<L>& space, const Field<L>& b, Field<L>& x,
               const SolveControl& control, CgVectors<L>& vectors) {
  auto& [r, z, p, q] = vectors;
  const Stopwatch watch;
  SolveReport report;
  const real scale = std::sqrt(dot(space, b, b));
  a(x, q);
  r = b - q;
  real rr = dot(space, r, r);
  const auto judge = [&] {
    report.residual = scale > 0 ? std::sqrt(rr) / scale : std::sqrt(rr);
    report.converged = report.residual <= control.tolerance;
    if (!std::isfinite(report.residual)) fail_solve(control, report, SolveFault::not_finite);
  };
  judge();
  real rho_old = 1;
  while (!report.converged) {
    if (report.iterations == control.max_iterations) fail_solve(control, report, SolveFault::not_converged);
    preconditioner(r, z);
    const real rho = dot(space, r, z);
    if (rho <= 0) fail_solve(control, report, SolveFault::preconditioner_not_definite);
    if (report.iterations == 0) {
      p.copy_from(z);
    } else {
      p = z + (rho / rho_old) * p;
    }
    rho_old = rho;
    a(p, q);
    const real curvature = dot(space, p, q);
    if (curvature <= 0) fail_solve(control, report, SolveFault::matrix_not_definite);
    const real step = rho / curvature;
    rr = advance(space, step, p, q, x, r);
    ++report.iterations;
    judge();
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace solenoid
