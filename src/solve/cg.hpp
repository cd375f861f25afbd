/// Preconditioned conjugate gradients until the residual meets its tolerance. For files that launch kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solve/cg_general.hpp"
#include "solve/cg_pointwise.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

/// The iteration for A and P: two passes over the vectors if P is pointwise and A ends in an assembled matrix, else one
/// call of each. `unscaled(i, r_i)`: the residual to be reduced, in the caller's scaling. All arguments outlive it.
template <class L, class T, LinearOperator<L, T> A, Preconditioner<L, T> P, class Unscaled>
auto cg_iteration(const A& a, const P& preconditioner, const Unscaled& unscaled, const Space<L>& space,
                  CgVectors<L, T>& vectors) {
  if constexpr (FactoredOperator<A, L, T> && PointwisePreconditioner<P, L, T>) {
    return PointwiseCg<L, T, A, P, Unscaled>{a, preconditioner, unscaled, space, vectors};
  } else {
    return GeneralCg<L, A, P, Unscaled>{a, preconditioner, unscaled, space, vectors};
  }
}

/// Unknowns per rank above which a kernel takes longer than its launch: graphs of kernels pay below.
inline constexpr int launch_bound = 500000;

/// Turns that are recorded as one graph, where the iteration skips those after its end.
inline constexpr int turns_of_graph = 4;

/// Turns of a sequence that may be replayed: some where the iteration skips those after its end.
template <class Iteration>
int turns_at_once(const Iteration& iteration) {
  return Iteration::skips_turns && iteration.turns_alone() ? turns_of_graph : 1;
}

/// `count` turns; some more where the iteration skips those after its end. Collective.
template <class Iteration>
void make_turns(const Iteration& iteration, int count) {
  const int turns = turns_at_once(iteration);
  const auto turn = [&] { iteration.iterate(turns); };
  const bool is_replayed = iteration.may_be_replayed() && iteration.vectors.r.owned() < launch_bound;
  for (int done = 0; done < count; done += turns) {
    if (is_replayed) {
      iteration.vectors.replay.run(turn);
    } else {
      turn();
    }
  }
}

/// Turns before the host reads the state, `done` of them in this solve: all that are expected, then few.
template <class Iteration>
int turns_ahead(const Iteration& iteration, int done) {
  constexpr int of_unknown = 16, of_rest = 8;
  if (!iteration.turns_alone()) return 1;
  const IterationForecast& forecast = iteration.vectors.forecast;
  if (!Iteration::skips_turns) return done == 0 ? std::max(forecast.fewest(), 1) : 1;
  if (done > 0) return std::max(done / of_rest, 1);
  return forecast.most() > 0 ? forecast.most() : of_unknown;
}

/// Iterates until the recursive residual meets its target, or the iteration cannot continue; returns the last state.
/// `measured` is the measure of the current residual. Collective.
template <class Iteration>
CgState reduce_residual(const Iteration& iteration, Sums<2> measured, real scale, const SolveControl& control,
                        SolveReport& report) {
  auto& state = iteration.vectors.state;
  CgState now;
  now.iterations = report.iterations;
  now.max_iterations = control.max_iterations;
  const bool is_again = report.iterations > 0;
  for (bool begun = false;; begun = true) {
    const real to_go = control.tolerance / report.residual;
    constexpr real margin = 0.9;  // the two norms do not decrease quite in step: aim a little lower the next time
    now.status = CgState::running;
    now.target = measured[1] * to_go * to_go * (begun || is_again ? margin : 1);
    if (begun) iteration.resume(now, measured);
    state.start(now);
    if (!begun) iteration.begin();
    if constexpr (requires { iteration.begin_measure(); }) {
      std::optional<PendingSums<2>> of_turns;
      do {
        make_turns(iteration, turns_ahead(iteration, now.iterations));
        of_turns.reset();
        if (iteration.turns_alone()) of_turns.emplace(iteration.begin_measure());  // both by one wait
        now = state.get();
      } while (now.status == CgState::running);
      if (!of_turns) of_turns.emplace(iteration.begin_measure());
      measured = totals(iteration.vectors.r.layout().comm(), of_turns->parts());
    } else {
      do {
        make_turns(iteration, turns_ahead(iteration, now.iterations));
        now = state.get();
      } while (now.status == CgState::running);
      measured = iteration.measure_after(now);
    }
    if (!begun && !is_again) iteration.vectors.forecast.add(now.iterations);
    report.iterations = now.iterations;
    report.residual = std::sqrt(measured[0]) / scale;
    const bool can_go_on = !now.broke_down() && now.iterations < now.max_iterations && std::isfinite(report.residual);
    if (!can_go_on || report.residual <= control.tolerance) return now;
  }
}

/// Whether a tolerance is so loose that the round-off of a few iterations is negligible.
inline bool carries_residual(real tolerance) { return tolerance >= by_precision(1e-5, 1e-1); }

/// Reduces the residual to ||residual|| <= tolerance * norm_of_b (to tolerance alone if that is 0), in at most
/// control.max_iterations. The iteration's vectors.r holds the residual of the first guess, `measured` its square in
/// the caller's scaling and the number for the stopping test. `take()` adds vectors.correction to the guess, and
/// `renew()` recomputes its residual b - A x into vectors.r and returns both numbers.
///
/// The iteration stops on a quantity that is free of cost, r.P r for pointwise P; then the requested norm is checked.
/// The recursive residual of CG drifts from b - A x by round-off (Greenbaum 1997). It is accepted and reported if
/// carries_residual() and the iterations are `few`. Otherwise b - A x is recomputed at the end; if it exceeds the
/// tolerance, CG restarts from it. If a restart does not halve it, the rest is round-off: the report says `stagnated`.
///
/// Throws a collective Error (exit code 1) if the tolerance is not reached, unless round-off alone prevents it; if A or
/// P is not positive definite; or if a value is not finite. Collective.
template <class Iteration, class Take, class Renew>
SolveReport cg(const Iteration& iteration, real norm_of_b, Sums<2> measured, const SolveControl& control,
               const Take& take, const Renew& renew) {
  constexpr real round_off = by_precision(1e-8, 1e-3);  // a larger residual is not due to round-off
  constexpr int few = 50;                               // iterations
  const real scale = norm_of_b > 0 ? norm_of_b : 1;
  SolveReport report{.preconditioner = control.preconditioner};
  CgState last;
  real before = CgState::largest;
  for (;;) {
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
    measured = renew();
  }
  return report;
}

/// Prepares endless iterations from vectors.r, for measurements.
template <class Iteration>
void begin_cg(const Iteration& iteration) {
  CgState endless;
  endless.max_iterations = std::numeric_limits<int>::max();
  endless.target = -1;
  iteration.vectors.state.start(endless);
  iteration.begin();
}

/// Runs `count` iterations, or some more. Collective.
template <class Iteration>
void iterate_cg(const Iteration& iteration, int count) {
  make_turns(iteration, count);
}

}  // namespace solenoid
