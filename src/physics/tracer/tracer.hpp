/// A tracer: a particle without mass that follows the flow.
#pragma once

#include <cstdint>

#include "base/vec3.hpp"

namespace solenoid {

/// Where a tracer is in a step of the fourth-order Runge-Kutta method: on its way to where the velocity is asked for
/// next, from the first time to the fourth; on its way to the end of the step; there; or gone.
enum class TracerStage : int { first, second, third, fourth, end, done, left, lost };

struct Tracer {
  Vec3 place;      ///< at the beginning of the step, then at its end [m]
  Vec3 from, to;   ///< the way that it is on [m]
  Vec3 way;        ///< of the step as far as the velocities tell [m]
  real begin = 0;  ///< the part of the step after which it is there: more than 0 where it is released in it
  real born = 0;   ///< when it was released [s]
  std::int64_t id = 0;
  int cell = -1;   ///< local, on the way
  int patch = -1;  ///< through which it left
  TracerStage stage = TracerStage::done;
  std::int64_t cell_id = -1;  ///< of the cell in the whole mesh, between steps and between ranks

  /// For the next step: it starts where it is.
  void set_out() {
    from = to = place;
    way = {};
    stage = TracerStage::first;
  }
};

}  // namespace solenoid
