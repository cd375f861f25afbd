/// The velocity that advects points: at the nodes of the fluid's mesh, step by step.
#pragma once

#include "field/field.hpp"
#include "model/node_velocity.hpp"

namespace solenoid {

class AdvectingVelocity {
 public:
  virtual ~AdvectingVelocity() = default;

  /// Velocity and gradient at the nodes as the fluid moves now; between them interpolate_velocity. Collective.
  virtual Exchanged<Node, NodeVelocity> velocity(Field<Node, NodeVelocity>& nodes) = 0;
  /// What comes to that patch leaves the domain there; at others it stays inside. Not collective.
  virtual bool is_open(int patch) const = 0;
};

}  // namespace solenoid
