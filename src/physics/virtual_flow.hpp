/// A flow in which the power of forces is asked for, to read pressures off momentum without solving for them.
#pragma once

#include <vector>

#include "physics/boundary_field.hpp"
#include "physics/pair_faces.hpp"

namespace solenoid {

/// Fluxes h without divergence. A pressure inside has no power in them (principle of virtual power, d'Alembert): where
/// momentum leaves r = -G p over, h . r is what h carries in through the boundary against p. Kept are cells and nodes
/// alone, for h . I^T V a = (I h) . V a and h . M C omega = (R M h) . omega.
class VirtualFlow {
 public:
  /// Collective.
  VirtualFlow(Field<Face>& flow, const PairFaces& pairs);

  /// h . (I^T V a + nu M C omega), and of `pressure` what h carries out against it through the boundary: `acceleration`
  /// a [m/s^2], lumped `vorticity` [1/s], `viscosity` nu. Collective.
  real power(const Field<Cell, Vec3>& acceleration, const Field<Edge>& vorticity, real viscosity,
             const BoundaryField<real>& pressure) const;

  const std::vector<real>& through_pairs() const { return through_pairs_; }  ///< of h, see PairFaces

 private:
  Field<Cell, Vec3> velocity_;   // V I h
  Field<Edge> circulation_;      // R M h
  BoundaryField<real> leaving_;  // out of the domain
  std::vector<real> through_pairs_;
};

}  // namespace solenoid
