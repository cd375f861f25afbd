/// A check that the kinetic energy of a flow does not grow without a source.
#pragma once

#include <optional>
#include <string>

#include "model/state_visitor.hpp"

namespace solenoid {

/// Square roots of energies [sqrt(m^5/s^2), in 2D sqrt(m^4/s^2)]: of all the fluid at the speed that boundary and
/// pressures cause, and of the gain from forces in one second.
struct EnergySources {
  real at_once = 0, in_time = 0;
};

/// Friction dissipates energy and convection does not add any: an undriven flow never has much more energy than when
/// the driving ended. (Later values are no bound: with little implicit friction, BDF2 steps oscillate.) A driven flow
/// has at most a large multiple of the energy that its sources could supply, even in a narrow passage.
class EnergyWatch {
 public:
  void begin(real energy);  ///< [m^5/s^2]: initial energy of the flow
  bool has_begun() const { return undriven_ >= 0; }
  /// After a step of dt [s] with these sources: a description of the fault, nullopt if there is none.
  std::optional<std::string> fault(real energy, const EnergySources& sources, real dt);

  void visit_state(StateVisitor& visitor);  ///< see Model

 private:
  real undriven_ = -1;                   // the energy when the flow was last driven, or at its start; -1: unknown
  real at_once_ = 0, root_in_time_ = 0;  // from the sources so far
};

}  // namespace solenoid
