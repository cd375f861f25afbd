/// The implicit half of the classical fractional step: momentum of the fluxes with their friction.
#pragma once

#include <memory>

#include "physics/flow/momentum/face_average_friction.hpp"
#include "physics/flow/momentum/flux_drag.hpp"
#include "physics/flow/momentum/two_part_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// (alpha M + nu K) U = b with Raviart and Thomas's mass M and K = M C B R M + D^T (w/V) D as a product of assembled
/// matrices, with B of EdgeVorticity. Friction of curls alone does not act on gradients, and the gradient part of the
/// explicit forces grows with nu dt/h^2; with the divergences K is the vector Laplacian, and their effect on momentum
/// is a pressure, -nu w div U (Timmermans, Minev & van de Vosse 1996). Or K = kappa K_0 of face averages, with or
/// without D^T (w/V) D, or that of RebuiltMomentum. Iterates in single precision if the tolerance allows.
class FluxMomentumSystem : public TwoPartSystem<Face> {
 public:
  /// `unknowns`: faces without prescribed flux. `lumped_inverse_mass` is B, `of_divergence` w/V of cells.
  /// `drag`: of zones, null without. Refers to all but `mass` and `of_divergence`; they must outlive it. Collective.
  FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass, Field<Edge>& lumped_inverse_mass,
                     Field<Cell>& of_divergence, FluxDrag* drag = nullptr,
                     const MemoryOf& = MemoryOf("momentum system"));
  FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass, const ImplicitFriction& friction,
                     Field<Cell>* of_divergence, FluxDrag* drag = nullptr,
                     const MemoryOf& = MemoryOf("momentum system"));
  ~FluxMomentumSystem() override;

  /// With a RebuiltMomentum whose viscosity of cells has changed: this relative one, halo included, and w/V times it.
  /// Call friction_changed() then. Collective.
  void set_viscosity(const Field<Cell>& relative, Field<Cell>& of_divergence);
  void friction_changed() override;

  /// M as a sparse matrix.
  const SparseMatrix<Face>& mass() const;

  void reserve(const SolveControl& control);  ///< Allocates all memory of solves by `control`. Collective.

 private:
  void apply_parts(Field<Face>& flux, std::span<Field<Face>> images) override;
  SolveReport solve_from(Field<Face>& flux, const Field<Face>* image, real alpha, real viscosity, const Field<Face>& b,
                         const SolveControl& control) override;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
