/// Start and end of an iterative solve: the choice of the initial guess, and scaling against under- and overflow. For
/// files that launch kernels.
#pragma once

#include "solve/cg.hpp"

namespace solenoid {

/// Euclidean norms over the unknowns, in the caller's scaling: of b, and of b - A x for the guess; and of the latter as
/// passed to the preconditioner. `measured`: of that residual for cg().
struct StartNorms {
  real known, residual, given;
  Sums<2> measured;
};

/// Whether the squares formed by CG from numbers of this norm, down to round-off, are normal numbers.
inline bool can_be_squared(real norm) {
  using Limits = std::numeric_limits<real>;
  constexpr real square_of_round_off = Limits::epsilon() * Limits::epsilon();
  constexpr real least = Limits::min() / (square_of_round_off * square_of_round_off);
  return norm * norm >= least && norm * norm <= 1 / least;
}

/// A right-hand side below this counts as zero: its solution would have lost digits to underflow.
inline constexpr real vanishing =
    std::numeric_limits<real>::min() / (std::numeric_limits<real>::epsilon() * std::numeric_limits<real>::epsilon());

/// Whether numbers of this norm, down to their round-off, are well within the range of single precision.
inline bool fits_single(real norm) { return norm == 0 || (norm > real{1e-10} && norm < real{1e20}); }

/// The power of two that scales `largest` to between 1 and 2; 1 if it is 0 or not finite. The scaling is exact.
inline real unit_for(real largest) {
  return largest != 0 && std::isfinite(largest) ? std::ldexp(real{1}, -std::ilogb(largest)) : real{1};
}

/// Solves a system from a first guess, or from zero if the guess is worse: it may be an old solution for a right-hand
/// side that has since become far smaller, and CG cannot reduce a residual by more than the available digits.
///
/// `Task`: iteration(): CG iteration with its vectors. residual(unit): vectors.r = unit (b - A x), returns the norms of
/// b and of that times unit. is_single: whether the preconditioner works in single precision. largest_known(): max |b|.
/// forget_guess(): x = 0 at the unknowns. add_correction(part): x += part * vectors.correction. `used`: the
/// preconditioner that the control's choice comes to. Collective; throws as cg does.
template <class Task>
SolveReport solve_from_guess(const Task& task, const SolveControl& control, PreconditionerKind used) {
  return recorded(control, [&](SolveControl its_control) {
    its_control.preconditioner = used;
    real unit = 1;
    StartNorms norms = task.residual(unit);
    if (!can_be_squared(norms.known)) {
      const real largest = task.largest_known();
      if (largest < vanishing && std::isfinite(norms.known)) {  // a maximum may have skipped a NaN
        task.forget_guess();
        return SolveReport{.residual = norms.known, .converged = true, .preconditioner = used};
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
    return cg(
        task.iteration(), norms.known, norms.measured, its_control, [&] { task.add_correction(1 / unit); },
        [&] { return task.residual(unit).measured; });
  });
}

}  // namespace solenoid
