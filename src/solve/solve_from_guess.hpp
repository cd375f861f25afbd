/// What comes before and after conjugate gradients: whether the first guess helps, and units in which nothing under- or
/// overflows. For files that launch kernels.
#pragma once

#include "solve/cg.hpp"

namespace solenoid {

/// Euclidean norms over the unknowns, in the caller's scaling: of b, and of b - A x for the guess.
struct StartNorms {
  real known, residual;
};

/// Whether what CG makes of numbers of this norm, squares of residuals down to round-off, stays within the range of
/// normal numbers.
inline bool can_be_squared(real norm) {
  using Limits = std::numeric_limits<real>;
  constexpr real square_of_round_off = Limits::epsilon() * Limits::epsilon();
  constexpr real least = Limits::min() / (square_of_round_off * square_of_round_off);
  return norm * norm >= least && norm * norm <= 1 / least;
}

/// The power of two that brings `largest` to between 1 and 2, as far as there is one; 1 where it is 0 or not finite.
/// Multiplied by it numbers lose no digit.
inline real unit_for(real largest) {
  if (!(largest > 0 && largest <= std::numeric_limits<real>::max())) return 1;
  return std::ldexp(real{1}, std::min(-std::ilogb(largest), std::numeric_limits<real>::max_exponent - 1));
}

/// Solves a system from a first guess, or from zero where the guess is worse than none: the guess may be an old solution
/// for a right-hand side that has since become far smaller, and CG reduces a residual by no more than the digits there
/// are.
///
/// `Task`: a(), preconditioner(): what cg takes. residual(unit): vectors.r = unit (b - A x), returns the norms of both
/// times unit. largest_known(): max |b|. forget_guess(): x = 0 at the unknowns. add_correction(part): x += part *
/// vectors.correction. Collective; throws as cg does.
template <class Task, class L>
SolveReport solve_from_guess(Task&& task, const SolveControl& control, CgVectors<L>& vectors) {
  const Stopwatch watch;
  real unit = 1;
  StartNorms norms = task.residual(unit);
  if (!can_be_squared(norms.known)) {
    unit = unit_for(task.largest_known());
    norms = task.residual(unit);
  }
  if (norms.residual > norms.known) {
    task.forget_guess();
    task.residual(unit);
  }
  SolveReport report = cg(task.a(), task.preconditioner(), norms.known, control, vectors, [&] {
    task.add_correction(1 / unit);
    task.residual(unit);
  });
  report.seconds = watch.seconds();
  return report;
}

}  // namespace solenoid
