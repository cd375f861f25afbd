/// A divergence-free flux in which the power of forces reads a mean pressure off momentum, without a solve for the
/// pressure.
#pragma once

#include <vector>

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/flux_surfaces.hpp"

namespace solenoid {

/// Divergence-free fluxes h, in which an inner pressure has no power (principle of virtual power, d'Alembert): with the
/// momentum residual r = -G p, h . r is the power of p on the inflow of h through the boundary.
class PressureProbeFlux {
 public:
  /// Collective.
  PressureProbeFlux(const Field<Face>& flow, const FluxSurfaces& pairs);

  /// h . r plus the power of h against `pressure` out through the boundary; `residual` r is integrated along the duals.
  /// Collective.
  real power(const Field<Face>& residual, const BoundaryField<real>& pressure) const;

  const std::vector<real>& through_pairs() const { return through_pairs_; }  ///< of h, see FluxSurfaces

 private:
  Field<Face> flow_;
  BoundaryField<real> leaving_;  // out of the domain
  std::vector<real> through_pairs_;
};

}  // namespace solenoid
