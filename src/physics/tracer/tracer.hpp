/// A tracer: a particle without mass that follows the flow.
#pragma once

#include <cstdint>

#include "base/vec3.hpp"

namespace solenoid {

/// Stage of a tracer in a step of the fourth-order Runge-Kutta method: moving to the point of the first to fourth
/// velocity evaluation; moving to the end of the step; arrived; or gone.
enum class TracerStage : int { first, second, third, fourth, end, done, left, lost };

struct Tracer {
  Vec3 place;      ///< at the beginning of the step, then at its end [m]
  Vec3 from, to;   ///< the present straight path [m]
  Vec3 way;        ///< displacement of the step from the velocities so far [m]
  real begin = 0;  ///< fraction of the step at which the tracer starts: > 0 if released within the step
  real born = 0;   ///< release time [s]
  std::int64_t id = 0;
  int cell = -1;   ///< local, at the present point of the path
  int patch = -1;  ///< through which it left
  TracerStage stage = TracerStage::done;
  std::int64_t cell_id = -1;  ///< global id, between steps and between ranks

  /// Prepares the next step, from the present position.
  void set_out() {
    from = to = place;
    way = {};
    stage = TracerStage::first;
  }
};

}  // namespace solenoid
