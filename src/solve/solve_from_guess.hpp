/// Start and end of an iterative solve: the choice of the initial guess, and scaling against under- and overflow. For
/// files that launch kernels.
#pragma once

#include "solve/cg.hpp"

namespace solenoid {

/// Euclidean norms over the unknowns, in the caller's scaling: of b, and of b - A x for the guess; and of that as the
/// preconditioner gets it.
struct StartNorms {
  real known, residual, given;
};

/// Whether what CG makes of numbers of this norm, squares of residuals down to round-off, stays within the range of
/// normal numbers.
inline bool can_be_squared(real norm) {
  using Limits = std::numeric_limits<real>;
  constexpr real square_of_round_off = Limits::epsilon() * Limits::epsilon();
  constexpr real least = Limits::min() / (square_of_round_off * square_of_round_off);
  return norm * norm >= least && norm * norm <= 1 / least;
}

/// Below this a right-hand side is none: its solution would have lost its digits to the end of the range of numbers.
inline constexpr real vanishing =
    std::numeric_limits<real>::min() / (std::numeric_limits<real>::epsilon() * std::numeric_limits<real>::epsilon());

/// Whether numbers of this norm, down to round-off of them, stay well within the range of single precision.
inline bool fits_single(real norm) { return norm == 0 || (norm > real{1e-10} && norm < real{1e20}); }

/// The power of two that brings `largest` to between 1 and 2, 1 where it is not finite. Multiplied by it numbers lose
/// no digit.
inline real unit_for(real largest) {
  return std::isfinite(largest) ? std::ldexp(real{1}, -std::ilogb(largest)) : real{1};
}

/// Solves a system from a first guess, or from zero where the guess is worse than none: the guess may be an old
/// solution for a right-hand side that has since become far smaller, and CG reduces a residual by no more than the
/// digits there are.
///
/// `Task`: iteration(): of CG, with its vectors. residual(unit): vectors.r = unit (b - A x), returns the norms of b and
/// of that times unit. is_single: whether the preconditioner works in single precision. largest_known(): max |b|.
/// forget_guess(): x = 0 at the unknowns. add_correction(part): x += part
/// * vectors.correction. Collective; throws as cg does.
template <class Task>
SolveReport solve_from_guess(const Task& task, const SolveControl& control) {
  const Stopwatch watch;
  real unit = 1;
  StartNorms norms = task.residual(unit);
  if (!can_be_squared(norms.known)) {
    const real largest = task.largest_known();
    if (largest < vanishing && std::isfinite(norms.known)) {  // a maximum may have passed over a NaN
      task.forget_guess();
      return {.residual = norms.known, .converged = true};
    }
    unit = unit_for(largest);
    norms = task.residual(unit);
  }
  if (norms.residual > norms.known) {
    task.forget_guess();
    norms = task.residual(unit);
  }
  if (Task::is_single && !fits_single(norms.given) && std::isfinite(norms.given)) {
    unit *= unit_for(norms.given);
    norms = task.residual(unit);
  }
  SolveReport report = cg(
      task.iteration(), norms.known, control, [&] { task.add_correction(1 / unit); }, [&] { task.residual(unit); });
  report.seconds = watch.seconds();
  report.bytes = watch.bytes();
  return report;
}

}  // namespace solenoid
