/// The state of a run in a checkpoint: all that the next step and the final figures depend on.
#pragma once

#include <span>

#include "model/model.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/tracers.hpp"

namespace solenoid {

struct RunState {
  Model& model;
  Averages& averages;
  Tracers* tracers = nullptr;  ///< where there are some
  std::span<const Observer> observers{};

  /// Everything in it. Where `visitor` overwrites it, restored() makes the rest anew.
  void visit(StateVisitor& visitor) const {
    model.visit_state(visitor);
    averages.visit_state(visitor);
    if (tracers) tracers->visit_state(visitor);
    for (const Observer& observer : observers) observer.sink->visit_state(visitor);
  }
  void restored() const {
    model.state_restored();
    if (tracers) tracers->restored();
  }
};

}  // namespace solenoid
