/// The implicit half of the classical fractional step: momentum of the fluxes with their friction.
#pragma once

#include <memory>

#include "model/state_visitor.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"
#include "solve/solve_control.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// (alpha M + nu K) U = b with Raviart and Thomas's mass M and K = M C B R M + D^T (w/V) D as a product of assembled
/// matrices, with B of EdgeVorticity. Friction of curls alone does not act on gradients, and the gradient part of the
/// explicit forces grows with nu dt/h^2; with the divergences K is the vector Laplacian, and their effect on momentum
/// is a pressure, -nu w div U (Timmermans, Minev & van de Vosse 1996). Or K = kappa K_0 of face averages, with or
/// without D^T (w/V) D, or that of RebuiltMomentum.
class FluxMomentumSystem {
 public:
  /// `unknowns`: faces without prescribed flux. `lumped_inverse_mass` is B, `of_divergence` w of cells. Refers to all
  /// but `mass` and `of_divergence`; they must outlive it. Collective.
  FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass, Field<Edge>& lumped_inverse_mass,
                     Field<Cell>& of_divergence);
  FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass, const ImplicitFriction& friction,
                     Field<Cell>* of_divergence);
  ~FluxMomentumSystem();

  /// M as a sparse matrix.
  const SparseMatrix<Face>& mass() const;

  /// alpha [1/s], viscosity nu [m^2/s]. b is restricted to unknowns and includes the share of prescribed U, which stays
  /// as on entry. Iterates in single precision if the tolerance allows. Collective; throws as cg does.
  SolveReport solve(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux, const SolveControl& control);
  /// The same from a first guess by the past solutions of this method, to which it adds the new one.
  SolveReport solve_from_past(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux,
                              const SolveControl& control);

  void reserve(const SolveControl& control);  ///< Allocates all memory of both. Collective.

  void friction_changed();  ///< Call when another part becomes implicit. Collective.

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

 private:
  struct Parts;
  void make(const Space<Face>& unknowns, const MatrixRows& mass, std::vector<real> friction,
            Field<Cell>& of_divergence);
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
