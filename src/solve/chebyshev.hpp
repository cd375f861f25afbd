/// Chebyshev iteration for well-conditioned systems such as mass matrices: no inner products, no synchronisation.
#pragma once

#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// A x = b for the unknowns of a space, A symmetric and positive definite there, with Jacobi's preconditioner (Saad
/// 2003, algorithm 12.1). No tied groups.
template <class L>
class ChebyshevIteration {
 public:
  /// For eigenvalues of D^-1 A between highest / `condition` and the highest; smaller ones converge slowly, none
  /// diverges. Collective.
  ChebyshevIteration(const Space<L>& space, const MatrixRows& rows, real condition);

  /// Runs `iterations` iterations from x, whose prescribed values are 0. Collective.
  void improve(const Field<L>& b, Field<L>& x, int iterations);

  /// Iterates until the residual D^-1 (b - A x) is at most `tolerance` times D^-1 b, or for `most` iterations.
  /// Collective.
  void solve(const Field<L>& b, Field<L>& x, real tolerance, int most);

 private:
  ChebyshevIteration(const Space<L>& space, const MatrixRows& rows, real condition, Field<L> scale);

  Field<L> inverse_;          // D^-1, 0 where prescribed
  SparseMatrix<L> coupling_;  // D^-1 A without its unit diagonal
  real middle_, reach_;       // of the eigenvalue interval: midpoint and half width
  Field<L> step_, next_;
};

}  // namespace solenoid
