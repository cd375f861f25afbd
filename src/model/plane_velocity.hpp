/// Velocity and its gradient in a divergence-free plane flow.
#pragma once

#include <array>

#include "base/vec3.hpp"

namespace solenoid {

/// Contribution of a row of a stencil to the five numbers of a PlaneVelocity.
using PlaneShares = std::array<real, 5>;

/// Velocity at a node and its derivatives; dv/dy = -du/dx.
struct PlaneVelocity {
  PlaneShares of{};  ///< u, v [m/s], du/dx, du/dy, dv/dx [1/s]

  SOLENOID_HD Vec3 value() const { return {of[0], of[1], 0}; }
  /// (d . grad) u: the change over the distance d, by the gradient here.
  SOLENOID_HD Vec3 change(const Vec3& d) const { return {of[2] * d.x + of[3] * d.y, of[4] * d.x - of[2] * d.y, 0}; }
};

}  // namespace solenoid
