/// Tolerances of the solves and comparisons inside the schemes, by the precision of `real`.
#pragma once

#include <algorithm>

#include "solve/solve_control.hpp"

namespace solenoid {

/// One of two numbers, by the precision of `real`.
constexpr real by_precision(double in_double, double in_single) {
  return static_cast<real>(sizeof(real) == sizeof(double) ? in_double : in_single);
}

/// Relative residuals and differences.
namespace tolerance {
inline constexpr real of_vorticity = by_precision(1e-13, 1e-6);  ///< of the vorticity of a flow that begins
inline constexpr real of_range = by_precision(1e-12, 1e-6);      ///< of limited scalars, whose error leaves their range
inline constexpr real of_loops = by_precision(1e-12, 1e-6);      ///< of harmonic fluxes, whose error moves momentum
inline constexpr real of_response = by_precision(1e-10, 1e-5);   ///< of unit responses, whose error breaks balances
inline constexpr real of_projection = by_precision(1e-9, 1e-5);  ///< of a flow that begins, in several solves
inline constexpr real of_start = by_precision(1e-8, 1e-5);       ///< of a flow that begins, and of outputs

inline constexpr real of_restored_fluxes = by_precision(1e-9, 1e-3);  ///< restored to prescribed: round-off is less
inline constexpr real of_written_fluxes = by_precision(1e-6, 1e-2);   ///< the same in a run: more stops it
inline constexpr real of_pair_fluxes = by_precision(1e-10, 1e-4);     ///< less is not driven anew
inline constexpr real of_halved_steps = by_precision(1e-9, 1e-3);     ///< differences that are round-off
}  // namespace tolerance

/// `control` with a tolerance of at most `largest`.
inline SolveControl tightened(SolveControl control, real largest) {
  control.tolerance = std::min(control.tolerance, largest);
  return control;
}

}  // namespace solenoid
