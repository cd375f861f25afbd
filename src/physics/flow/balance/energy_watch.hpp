/// A check that the kinetic energy of a flow does not grow without a source.
#pragma once

#include <optional>
#include <string>

#include "model/state_visitor.hpp"

namespace solenoid {

/// Roots of energy [sqrt(m^5/s^2), in 2D sqrt(m^4/s^2)]: of all the fluid at the speed that boundary and pressures give
/// it, and of what forces give it in a second.
struct EnergySources {
  real at_once = 0, in_time = 0;
};

/// Friction takes energy, and convection none: a flow that nothing drives has never much more than when that began.
/// (Not than at any later time: where little of the friction is implicit, steps of BDF2 swing.) One that is driven has
/// no more than a large multiple of what its sources could give it, however it narrows.
class EnergyWatch {
 public:
  void begin(real energy);  ///< [m^5/s^2]: that a flow starts with
  bool has_begun() const { return undriven_ >= 0; }
  /// After a step of dt [s] with these sources: what is wrong, if it is.
  std::optional<std::string> fault(real energy, const EnergySources& sources, real dt);

  void visit_state(StateVisitor& visitor);  ///< see Model

 private:
  real undriven_ = -1;                   // the energy when last something drove the flow, or at its start; or unknown
  real at_once_ = 0, root_in_time_ = 0;  // of the sources so far
};

}  // namespace solenoid
