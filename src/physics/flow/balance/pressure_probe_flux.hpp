/// A divergence-free flux in which the power of forces reads a mean pressure off momentum, without a solve for the
/// pressure.
#pragma once

#include <vector>

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/pair_faces.hpp"

namespace solenoid {

/// Fluxes h without divergence. A pressure inside has no power in them (principle of virtual power, d'Alembert): where
/// momentum leaves r = -G p over, h . r is what h carries in through the boundary against p.
class PressureProbeFlux {
 public:
  /// Collective.
  PressureProbeFlux(const Field<Face>& flow, const PairFaces& pairs);

  /// h . r, and of `pressure` what h carries out against it through the boundary: `residual` r along the duals.
  /// Collective.
  real power(const Field<Face>& residual, const BoundaryField<real>& pressure) const;

  const std::vector<real>& through_pairs() const { return through_pairs_; }  ///< of h, see PairFaces

 private:
  Field<Face> flow_;
  BoundaryField<real> leaving_;  // out of the domain
  std::vector<real> through_pairs_;
};

}  // namespace solenoid
