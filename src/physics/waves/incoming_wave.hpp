/// A plane wave that comes into the domain.
#pragma once

#include "base/vec3.hpp"

namespace solenoid {

/// zeta = amplitude cos(k direction.x - w t + phase).
struct IncomingWave {
  real amplitude = 0;  ///< half of the height [m]
  real frequency = 0;  ///< w [1/s]
  Vec3 direction;      ///< of travel, of length 1
  real phase = 0;      ///< [rad]

  bool operator==(const IncomingWave& other) const {
    return amplitude == other.amplitude && frequency == other.frequency && direction.x == other.direction.x &&
           direction.y == other.direction.y && direction.z == other.direction.z && phase == other.phase;
  }
};

}  // namespace solenoid
