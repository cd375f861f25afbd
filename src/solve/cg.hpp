/// Preconditioned conjugate gradients until the residual meets its tolerance. For files that launch kernels.
#pragma once

#include <cmath>
#include <limits>

#include "base/phases.hpp"
#include "parallel/replay.hpp"
#include "solve/cg_general.hpp"
#include "solve/cg_pointwise.hpp"

namespace solenoid {

/// The iteration for A and P: two passes over the vectors where P is pointwise and A ends in an assembled matrix, else
/// one call of each. `unscaled(i, r_i)`: the residual that is to become small, in the caller's scaling. All outlive it.
template <class L, class T, LinearOperator<L, T> A, Preconditioner<L, T> P, class Unscaled>
auto cg_iteration(const A& a, const P& preconditioner, const Unscaled& unscaled, const Space<L>& space,
                  CgVectors<L, T>& vectors) {
  if constexpr (FactoredOperator<A, L, T> && PointwisePreconditioner<P, L, T>) {
    return PointwiseCg<L, T, A, P, Unscaled>{a, preconditioner, unscaled, space, vectors};
  } else {
    return GeneralCg<L, A, P, Unscaled>{a, preconditioner, unscaled, space, vectors};
  }
}

/// Unknowns of a rank beyond which a kernel takes longer than its start: graphs of kernels pay below.
inline constexpr int launch_bound = 500000;

/// Iterates until the residual that is carried along has arrived, or nothing can go on; returns the last state.
/// `measured` belongs to the residual as it is. Collective.
template <class Iteration>
CgState reduce_residual(const Iteration& iteration, Sums<2> measured, real scale, const SolveControl& control,
                        SolveReport& report) {
  auto& state = iteration.vectors.state;
  const int turns = iteration.turns_at_once();
  Replay replay(turns > 1 && iteration.vectors.r.owned() < launch_bound);
  CgState now;
  now.iterations = report.iterations;
  now.max_iterations = control.max_iterations;
  const bool is_again = report.iterations > 0;
  for (bool begun = false;; begun = true) {
    const real to_go = control.tolerance / report.residual;
    constexpr real margin = 0.9;  // the two norms do not fall quite together: ask for a little more the next time
    now.status = CgState::running;
    now.target = measured[1] * to_go * to_go * (begun || is_again ? margin : 1);
    if (begun) iteration.resume(now, measured);
    state.start(now);
    if (!begun) iteration.begin();
    do {
      replay.run([&] { iteration.iterate(turns); });
      now = state.get();
    } while (now.status == CgState::running);
    report.iterations = now.iterations;
    measured = iteration.measure();
    report.residual = std::sqrt(measured[0]) / scale;
    const bool can_go_on = !now.broke_down() && now.iterations < now.max_iterations && std::isfinite(report.residual);
    if (!can_go_on || report.residual <= control.tolerance) return now;
  }
}

/// Whether a tolerance is so loose that a few iterations' round-off is nothing to it.
inline bool carries_residual(real tolerance) { return tolerance >= (sizeof(real) == sizeof(double) ? 1e-5 : 1e-1); }

/// Reduces the residual to ||residual|| <= tolerance * norm_of_b (to tolerance alone where that is 0), in at most
/// control.max_iterations. The iteration's vectors.r holds the residual of the first guess. `take()` adds
/// vectors.correction to the guess, and `renew()` makes vectors.r its residual b - A x anew.
///
/// The iteration ends by what costs it nothing, r.P r where P is pointwise; the norm that was asked for is checked when
/// that says that it is time. The residual that CG carries along drifts away from b - A x by round-off (Greenbaum
/// 1997). It counts, and is reported, where carries_residual() and the iterations are `few`. Elsewhere that is computed
/// anew at the end; where it has not arrived yet, CG starts again from it. What no longer halves it is round-off: the
/// report says `stagnated` then.
///
/// Throws a collective Error (exit code 1) when the tolerance is not reached, unless round-off alone prevents it; when
/// A or P is not positive definite; or when a value is not finite. Collective.
template <class Iteration, class Take, class Renew>
SolveReport cg(const Iteration& iteration, real norm_of_b, const SolveControl& control, const Take& take,
               const Renew& renew) {
  constexpr real round_off = sizeof(real) == sizeof(double) ? 1e-8 : 1e-3;  // what is larger is not its fault
  constexpr int few = 50;                                                   // iterations
  const Stopwatch watch;
  const real scale = norm_of_b > 0 ? norm_of_b : 1;
  SolveReport report;
  CgState last;
  real before = CgState::largest;
  for (;;) {
    const Sums<2> measured = iteration.measure();
    report.residual = std::sqrt(measured[0]) / scale;
    const bool has_arrived = report.residual <= control.tolerance;
    const bool may_end = report.iterations >= control.min_iterations || report.residual == 0 || last.broke_down();
    report.converged = has_arrived && may_end;
    if (!std::isfinite(report.residual)) fail_solve(control, report, SolveFault::not_finite);
    if (report.converged) break;
    if (last.status == CgState::not_finite) fail_solve(control, report, SolveFault::not_finite);
    if (report.iterations >= control.max_iterations) fail_solve(control, report, SolveFault::not_converged);
    report.stagnated = report.residual > before / 2;
    if (report.stagnated && report.residual > round_off) fail_solve(control, report, last.fault());
    if (report.stagnated) break;
    if (!has_arrived) before = report.residual;
    const int begun_at = report.iterations;
    last = reduce_residual(iteration, measured, scale, control, report);
    take();
    report.converged = carries_residual(control.tolerance) && report.residual <= control.tolerance &&
                       report.iterations >= control.min_iterations && report.iterations - begun_at <= few;
    if (report.converged) break;
    renew();
  }
  report.seconds = watch.seconds();
  report.bytes = watch.bytes();
  return report;
}

/// Makes ready for iterations without an end from vectors.r, for measuring them.
template <class Iteration>
void begin_cg(const Iteration& iteration) {
  CgState endless;
  endless.max_iterations = std::numeric_limits<int>::max();
  endless.target = -1;
  iteration.vectors.state.start(endless);
  iteration.begin();
}

/// `count` iterations, rounded up to whole turns of the state. Collective.
template <class Iteration>
void iterate_cg(const Iteration& iteration, int count) {
  const int turns = iteration.turns_at_once();
  Replay replay(turns > 1 && iteration.vectors.r.owned() < launch_bound);
  for (int done = 0; done < count; done += turns) {
    replay.run([&] { iteration.iterate(turns); });
  }
}

}  // namespace solenoid
