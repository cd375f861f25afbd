/// The stream function of divergence-free fluxes, for output (2D).
#pragma once

#include "physics/flow/solenoidal/harmonic_fluxes_2d.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// s with U = C s, from L s = R M U, with the boundary data and unknowns of ExactStep.
class StreamFunction {
 public:
  /// Refers to all but `boundary`; they must outlive it. Collective.
  StreamFunction(const LocalMesh& mesh, const BoundaryStreamFunction& boundary, const HarmonicFluxes2d& jumps,
                 Field<Edge>& inverse_mass, PreconditionerKind preconditioner);

  /// `circulation`: R M U at the nodes; `of_jumps`: c_k . M U for each of `jumps`. `offset`, `given_jumps`: s on the
  /// boundary and its jumps from prescribed fluxes. `potential` on entry is the first guess. Collective; throws as cg
  /// does.
  SolveReport compute(const Field<Edge>& circulation, std::vector<real> of_jumps, Field<Edge>& offset,
                      const std::vector<real>& given_jumps, Field<Edge>& potential, const SolveControl& control);

  const LinearSystem<Edge>& system() const { return system_; }

 private:
  StreamFunction(const LocalMesh& mesh, const BoundaryStreamFunction& boundary, const HarmonicFluxes2d& jumps,
                 Field<Edge>& inverse_mass, PreconditionerKind preconditioner, const MatrixRows& laplacian);

  const HarmonicFluxes2d& jumps_;
  Space<Edge> unknowns_;
  SparseMatrix<Edge> laplacian_;
  LinearSystem<Edge> system_;
  JumpUnknowns free_jumps_;
  Field<Edge> right_side_;
};

}  // namespace solenoid
