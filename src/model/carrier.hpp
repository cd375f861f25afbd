/// What carries points along: the velocity of a fluid at the nodes of its mesh, step by step.
#pragma once

#include "field/field.hpp"
#include "model/node_velocity.hpp"

namespace solenoid {

class Carrier {
 public:
  virtual ~Carrier() = default;

  /// Velocity and gradient at the nodes as the fluid moves now; between them interpolate_velocity. Collective.
  virtual Exchanged<Node, NodeVelocity> velocity(Field<Node, NodeVelocity>& nodes) = 0;
  /// What comes to that patch leaves the domain there; at others it stays inside. Not collective.
  virtual bool is_open(int patch) const = 0;
};

}  // namespace solenoid
