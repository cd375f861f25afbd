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
  Tracers* tracers = nullptr;  ///< null: none
  std::span<const Observer> observers{};

  /// Visits the whole state. After a visitor that overwrites it, restored() recomputes the derived data.
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
