/// The implicit half of the classical fractional step: momentum of the fluxes with their friction.
#pragma once

#include <memory>

#include "model/state_visitor.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"
#include "solve/solve_control.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// (alpha M + nu K) U = b with Raviart and Thomas's mass M, K = M C B R M + D^T (w/V) D as a product of assembled
/// matrices, with B of EdgeVorticity. Friction of curls alone leaves gradients as they are, and what the explicit
/// forces have of them grows with nu dt/h^2; with the divergences it is the vector Laplacian, and what they take of the
/// momentum is a pressure, -nu w div U (Timmermans, Minev & van de Vosse 1996). Or K = kappa K_0 of face averages, with
/// or without D^T (w/V) D, or that of RebuiltMomentum.
class FluxMomentumSystem {
 public:
  /// `unknowns`: faces whose flux is not given. `lumped_inverse_mass` is B, `of_divergence` w of cells. All but `mass`
  /// outlive this. Collective.
  FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass, Field<Edge>& lumped_inverse_mass,
                     Field<Cell>& of_divergence);
  FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass, const ImplicitFriction& friction,
                     Field<Cell>* of_divergence);
  ~FluxMomentumSystem();

  /// M as fluxes are multiplied by it.
  const SparseMatrix<Face>& mass() const;

  /// alpha [1/s], viscosity nu [m^2/s]; b restricted to unknowns, where U is given as it is on entry: its share belongs
  /// into b. Iterates in single precision where the tolerance lets it. Collective; throws as cg does.
  SolveReport solve(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux, const SolveControl& control);
  /// The same from a first guess that is made of the last solutions of this, and keeps the solution with them.
  SolveReport solve_from_past(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux,
                              const SolveControl& control);

  void reserve(const SolveControl& control);  ///< Takes all the memory that both do. Collective.

  void friction_changed();  ///< Where it is another part that is implicit. Collective.

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

 private:
  struct Parts;
  void make(const Space<Face>& unknowns, const MatrixRows& mass, std::vector<real> friction,
            Field<Cell>& of_divergence);
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
