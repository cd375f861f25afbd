/// The stream function of fluxes without divergence, for people to look at (2D).
#pragma once

#include "physics/boundary_potential.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// s with U = C s by L s = R M U, given along the boundary as the unknowns of ExactStep are.
class StreamFunction {
 public:
  /// Collective.
  StreamFunction(const LocalMesh& mesh, const BoundaryPotential& boundary, PreconditionerKind preconditioner);

  /// `circulation`: R M U at the nodes. `offset`: s on the boundary from the given fluxes. `potential` on entry is the
  /// first guess. Collective; throws as cg does.
  SolveReport find(const Field<Edge>& circulation, Field<Edge>& offset, Field<Edge>& potential,
                   const SolveControl& control);

  const LinearSystem<Edge>& system() const { return system_; }

 private:
  StreamFunction(const LocalMesh& mesh, const BoundaryPotential& boundary, PreconditionerKind preconditioner,
                 const MatrixRows& laplacian);

  Space<Edge> unknowns_;
  SparseMatrix<Edge> laplacian_;
  LinearSystem<Edge> system_;
  Field<Edge> right_side_;
};

}  // namespace solenoid
