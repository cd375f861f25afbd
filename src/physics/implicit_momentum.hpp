/// The implicit half of the exact fractional step in 2D: (alpha L + nu L W^-1 L) s = b for the potential s.
#pragma once

#include <memory>

#include "solve/solver.hpp"
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
  ~ImplicitMomentum();

  /// alpha [1/s], viscosity nu [m^2/s]; b restricted to unknowns; s on entry is the first guess. Collective; throws as
  /// cg does.
  SolveReport solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s, const SolveControl& control);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
