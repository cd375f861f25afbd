/// Failure messages of linear solvers.
#pragma once

#include "solve/solve_control.hpp"

namespace solenoid {

/// Reasons of a failed solve.
enum class SolveFault { not_converged, stagnated, not_finite, matrix_not_definite, preconditioner_not_definite };

/// Throws a collective Error (exit code 1) with the failure of this solver and its remedies.
/// Every rank calls it with the same values.
[[noreturn]] void fail_solve(const SolveControl& control, const SolveReport& report, SolveFault fault);

}  // namespace solenoid
