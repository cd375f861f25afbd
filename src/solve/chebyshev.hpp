/// Chebyshev iteration for well-conditioned systems such as mass matrices: no inner products, no synchronisation.
#pragma once

#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// A x = b for the unknowns of a space, A symmetric and positive definite there, with Jacobi's preconditioner (Saad
/// 2003, algorithm 12.1). No groups are tied.
template <class L>
class ChebyshevIteration {
 public:
  /// For eigenvalues of D^-1 A between the largest one and that over `condition`; smaller ones converge slowly, none
  /// diverges. Collective.
  ChebyshevIteration(const Space<L>& space, const MatrixRows& rows, real condition);

  /// So many iterations from x, whose prescribed values are 0. Collective.
  void improve(const Field<L>& b, Field<L>& x, int iterations);

  /// As many as bring the residual D^-1 (b - A x) to `tolerance` of D^-1 b, but no more than `most`. Collective.
  void solve(const Field<L>& b, Field<L>& x, real tolerance, int most);

 private:
  ChebyshevIteration(const Space<L>& space, const MatrixRows& rows, real condition, Field<L> scale);

  Field<L> inverse_;          // D^-1, 0 where prescribed
  SparseMatrix<L> coupling_;  // D^-1 A, but for its ones
  real middle_, reach_;       // of the eigenvalues
  Field<L> step_, next_;
};

}  // namespace solenoid
