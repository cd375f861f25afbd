/// The stream function of fluxes without divergence, for people to look at (2D).
#pragma once

#include "physics/flow/solenoidal/potential_jumps.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// s with U = C s by L s = R M U, given along the boundary as the unknowns of ExactStep are.
class StreamFunction {
 public:
  /// Refers to all but `boundary`, which must outlive it. Collective.
  StreamFunction(const LocalMesh& mesh, const BoundaryPotential& boundary, const PotentialJumps& jumps,
                 Field<Edge>& inverse_mass, PreconditionerKind preconditioner);

  /// `circulation`: R M U at the nodes; `of_jumps`: c_k . M U for each of `jumps`. `offset`, `given_jumps`: s on the
  /// boundary and its jumps from the given fluxes. `potential` on entry is the first guess. Collective; throws as cg
  /// does.
  SolveReport find(const Field<Edge>& circulation, std::vector<real> of_jumps, Field<Edge>& offset,
                   const std::vector<real>& given_jumps, Field<Edge>& potential, const SolveControl& control);

  const LinearSystem<Edge>& system() const { return system_; }

 private:
  StreamFunction(const LocalMesh& mesh, const BoundaryPotential& boundary, const PotentialJumps& jumps,
                 Field<Edge>& inverse_mass, PreconditionerKind preconditioner, const MatrixRows& laplacian);

  const PotentialJumps& jumps_;
  Space<Edge> unknowns_;
  SparseMatrix<Edge> laplacian_;
  LinearSystem<Edge> system_;
  FreeJumps free_jumps_;
  Field<Edge> right_side_;
};

}  // namespace solenoid
