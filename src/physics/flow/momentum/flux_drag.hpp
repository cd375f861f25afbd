/// The drag of porous zones on fluxes that need not be free of divergence.
#pragma once

#include "physics/flow/momentum/porous_drag.hpp"

namespace solenoid {

/// I^T V R I U + D^T s D U of PorousDrag's R_c, per viscosity: the mass of Raviart and Thomas's functions with R_c as
/// its weight, s_c = 1/(d V)^2 integral of (x - x_c).R_c (x - x_c). On fluxes without divergence it is the first term,
/// and with mass it is bounded, cell by cell, by the same multiples of its diagonal as the mass alone.
class FluxDrag {
 public:
  /// Refers to both, which must outlive it.
  FluxDrag(const LocalMesh& mesh, PorousDrag& drag);

  /// Call when R / implicit has changed.
  void renew();
  /// along_duals += factor times the drag by viscosity of these fluxes. Collective.
  void add(const Scalar<>& factor, Field<Face>& flux, Field<Face>& along_duals);
  /// along_duals += the force of PorousDrag, with D^T s D. Collective.
  void add_force(real implicit, Field<Face>& flux, Field<Face>& along_duals);
  /// The diagonal of add(). Collective.
  void compute_diagonal(Field<Face>& diagonal);
  /// Sets `weight` to 1 + factor times a bound from below of the eigenvalues of R / implicit.
  void compute_least_weight(real factor, Field<Cell>& weight) const;

 private:
  void add_of_divergence(const Scalar<>& factor, Field<Face>& flux, Field<Face>& along_duals);

  const LocalMesh& mesh_;
  PorousDrag& drag_;
  Field<Cell, Tensor> moments_;  // 1/(d V)^2 integral of (x - x_c)(x - x_c)^T
  Field<Cell> of_divergence_;    // s
  Field<Cell> least_share_;      // of the trace of R
  Field<Cell> divergence_;       // scratch, as the next
  Field<Cell, Tensor> per_volume_;
  Field<Cell, Vec3> cells_;
  Field<Face> along_duals_;
};

}  // namespace solenoid
