/// What linear solvers expect of operators and preconditioners, what they keep, and how they fail.
#pragma once

#include <concepts>
#include <string>

#include "field/field.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// y = A x, x and y over entities at L; may refresh x's halo.
template <class A, class L>
concept LinearOperator = std::invocable < const A&,
        Field<L>
&, Field<L>& > ;

/// y = P x, symmetric positive definite, an approximate inverse.
template <class P, class L>
concept Preconditioner = LinearOperator<P, L>;

/// The vectors of a CG solve, kept between solves.
template <class L>
struct CgVectors {
  Field<L> r, z, p, q;
  explicit CgVectors(const LocalMesh& mesh) : r(mesh), z(mesh), p(mesh), q(mesh) {}
};

/// Why a solve cannot go on.
enum class SolveFault { not_converged, not_finite, matrix_not_definite, preconditioner_not_definite };

/// Throws a collective Error (exit code 1) that says what happened to this solver and what to change.
/// Every rank calls it with the same values.
[[noreturn]] void fail_solve(const SolveControl& control, const SolveReport& report, SolveFault fault);

}  // namespace solenoid
