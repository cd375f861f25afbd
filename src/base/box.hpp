/// Bounding box of points, along the axes.
#pragma once

#include <algorithm>
#include <limits>

#include "base/vec3.hpp"

namespace solenoid {

/// Empty at first: `low` is above `high`.
struct Box {
  static constexpr real far = std::numeric_limits<real>::max();
  Vec3 low{far, far, far}, high{-far, -far, -far};

  void include(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  Vec3 size() const { return high - low; }
};

}  // namespace solenoid
