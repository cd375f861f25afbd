/// The velocity that advects points: at the nodes of the fluid's mesh, step by step.
#pragma once

#include "field/field.hpp"
#include "model/node_velocity.hpp"

namespace solenoid {

class AdvectingVelocity {
 public:
  virtual ~AdvectingVelocity() = default;

  /// Velocity and gradient at the nodes at the present time; interpolate_velocity evaluates it between them.
  /// Collective.
  virtual Exchanged<Node, NodeVelocity> velocity(Field<Node, NodeVelocity>& nodes) = 0;
  /// Points that reach an open patch leave the domain; at the other patches they stay inside. Not collective.
  virtual bool is_open(int patch) const = 0;
};

}  // namespace solenoid
