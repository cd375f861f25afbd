/// A symmetric system with an assembled matrix, set up once and solved again and again.
#pragma once

#include <memory>

#include "operators/matrix_rows.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/solution_history.hpp"
#include "solve/solver.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// A x = b for the unknowns of a space, A symmetric and positive definite there, or semidefinite with b in its range.
/// Jacobi's preconditioner is built in: the matrix is stored as S A S with S = diag(A)^-1/2, whose diagonal of ones
/// takes no memory, and CG without a preconditioner on it is CG with Jacobi's on A (Saad 2003, section 9.2.1).
template <class L>
class LinearSystem {
 public:
  /// `space` outlives the system. `automatic` becomes multigrid, or jacobi where the rows' sums, what a mass adds to
  /// differences, say that it does with few iterations. Collective; throws as BoomerAmg does where that is wanted.
  LinearSystem(const Space<L>& space, const MatrixRows& rows, PreconditionerKind preconditioner);
  ~LinearSystem();
  LinearSystem(LinearSystem&&) noexcept;

  /// Takes a matrix of the same pattern in the place of A. Multigrid or BoomerAMG stays what was made of the first
  /// matrix: where x.A x of the two have a ratio between 1 and c, the condition that the iterations go with grows by c
  /// at most. Collective.
  void set_matrix(const MatrixRows& rows);

  /// Starts from x. Prescribed entries of x are left as they are: their share belongs into b, whose own prescribed
  /// entries do not matter; at the members of a tied group b is the group's mean (Space::restrict_to_unknowns).
  /// Collective; throws as cg does.
  SolveReport solve(const Field<L>& b, Field<L>& x, const SolveControl& control);

  /// Starts from the last solutions, x where there is none, and keeps this one with them. Collective; throws as cg
  /// does.
  SolveReport solve(const Field<L>& b, Field<L>& x, const SolveControl& control, SolutionHistory<L>& past);
  /// For a system that takes the place of the one whose solutions these are. Collective.
  void renew_images(SolutionHistory<L>& past) const;

  /// z = S M S r, near A^-1 r, with the cycle M of multigrid or BoomerAMG or the sweeps of Gauss-Seidel, one of which
  /// there is: a part of other preconditioners. 0 where prescribed. Collective.
  void precondition(const Field<L>& r, Field<L>& z);

  // CG from a guess of zero without an end, for measuring iterations: whatever the residual, `count` of them at least.
  // Collective.
  void begin(const Field<L>& b);
  void iterate(int count);

  PreconditionerKind preconditioner() const;  ///< automatic no longer
  bool can_precondition() const;              ///< others: multigrid, BoomerAMG or Gauss-Seidel is there
  const MultigridShape* shape() const;        ///< none where that is not multigrid
  double setup_seconds() const;
  // One cycle for the scaled system, where there is one; and what this rank reads and writes in it, of multigrid's.
  void cycle(Field<L>& r, Field<L>& z) const;
  double bytes_of_cycle() const;

  std::size_t bytes() const;  ///< of the matrix as an iteration reads it on this rank, see SparseMatrix

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
