/// The implicit half of the exact fractional step in 2D: (alpha L + nu L W^-1 L) s = b for the potential s.
#pragma once

#include "solve/cg.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Solves with the matrix as a product of assembled ones: the inner index runs over every node, the walls' too.
class ImplicitMomentum {
 public:
  /// L as rows and on the device, W at the owned nodes; `unknowns`, `laplacian` and `lumped_mass` outlive this.
  /// Collective.
  ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows, const SparseMatrix<Edge>& laplacian,
                   Field<Edge>& lumped_mass);

  /// alpha [1/s], viscosity nu [m^2/s]; b restricted to unknowns; s on entry is the first guess. Collective; throws as
  /// cg does.
  SolveReport solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s, const SolveControl& control);

 private:
  const Space<Edge>& unknowns_;
  const SparseMatrix<Edge>& laplacian_;
  const Field<Edge>& lumped_mass_;
  Field<Edge> laplacian_diagonal_, viscous_diagonal_;  // of L and L W^-1 L, restricted to unknowns
  Field<Edge> inverse_diagonal_, vorticity_;           // 0 where prescribed; alpha s + nu W^-1 L s
  CgVectors<Edge> vectors_;
};

}  // namespace solenoid
