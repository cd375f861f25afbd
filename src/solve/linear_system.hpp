/// A symmetric system with an assembled matrix, set up once and solved again and again.
#pragma once

#include <memory>

#include "operators/matrix_rows.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/solution_history.hpp"
#include "solve/solve_control.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// A x = b for the unknowns of a space, A symmetric and positive definite there, or semidefinite with b in its range.
/// Jacobi's preconditioner is built in: the matrix is stored as S A S with S = diag(A)^-1/2, whose unit diagonal needs
/// no memory, and CG without a preconditioner on it is CG with Jacobi's on A (Saad 2003, section 9.2.1).
template <class L>
class LinearSystem {
 public:
  /// `space` outlives the system. `automatic` becomes jacobi if the row sums, the share of a mass next to differences,
  /// promise few iterations, else multigrid. Collective; throws as BoomerAmg does if that is requested.
  LinearSystem(const Space<L>& space, const MatrixRows& rows, PreconditionerKind preconditioner);
  ~LinearSystem();
  LinearSystem(LinearSystem&&) noexcept;

  /// Replaces A by a matrix of the same pattern. Multigrid, BoomerAMG or elimination stays that of the first matrix: if
  /// the ratio of the two x.A x lies between 1 and c, the effective condition number grows by at most c. Collective.
  void set_matrix(const MatrixRows& rows);

  /// Starts from x. Prescribed entries of x stay unchanged: their contribution belongs into b, whose own prescribed
  /// entries are ignored; at the members of a tied group b is the group's mean (Space::restrict_to_unknowns).
  /// Collective; throws as cg does.
  SolveReport solve(const Field<L>& b, Field<L>& x, const SolveControl& control);

  /// Starts from the last solutions, or from x if there are none, and keeps the new solution with them. Collective;
  /// throws as cg does.
  SolveReport solve(const Field<L>& b, Field<L>& x, const SolveControl& control, SolutionHistory<L>& past);
  /// For a system that replaces the one of these solutions. Collective.
  void renew_images(SolutionHistory<L>& past) const;

  /// z = S M S r, approximately A^-1 r, with M the cycle of multigrid or BoomerAMG, elimination, or the sweeps of
  /// Gauss-Seidel, one of which must be present: a part of other preconditioners. 0 where prescribed. Collective.
  void precondition(const Field<L>& r, Field<L>& z);
  /// The same for each component at once, with multigrid; no tied groups. r is overwritten. Collective.
  void precondition(Field<L, Vec3>& r, Field<L, Vec3>& z);

  // Endless CG from a zero guess, for measurements: at least `count` iterations, whatever the residual. Collective.
  void begin(const Field<L>& b);
  void iterate(int count);

  PreconditionerKind preconditioner() const;  ///< never automatic
  bool can_precondition() const;              ///< whether one of these is present
  const MultigridShape* shape() const;        ///< nullptr without multigrid
  /// Enters the set-up into the control's log, once: part of solve(), and for systems that only precondition.
  void record_setup(const SolveControl& control);
  // One cycle for the scaled system, if present; and the memory traffic of this rank in a multigrid cycle, for one
  // vector or several at once, or in a call of elimination.
  void cycle(Field<L>& r, Field<L>& z) const;
  double bytes_of_cycle(int vectors = 1) const;

  std::size_t bytes() const;  ///< of the matrix as read in an iteration on this rank, see SparseMatrix

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
