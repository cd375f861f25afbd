/// Search of points by position.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Points sorted into boxes of one size, for search by position.
class PointGrid {
 public:
  static constexpr int nothing = -1;

  /// Refers to the points, of which it has `some`.
  PointGrid(const std::vector<Vec3>& points, const std::vector<int>& some, real size) : points_(points), size_(size) {
    for (const int n : some) boxes_[box_of(points_[n])].push_back(n);
  }
  /// The nearest point if one lies within `size`, else a point up to some sizes away or `nothing`.
  int nearest(const Vec3& x) const {
    int found = nothing;
    const Box box = box_of(x);
    for (std::int64_t i = -1; i <= 1; ++i) {
      for (std::int64_t j = -1; j <= 1; ++j) {
        for (std::int64_t k = -1; k <= 1; ++k) {
          const auto there = boxes_.find({box[0] + i, box[1] + j, box[2] + k});
          if (there == boxes_.end()) continue;
          for (const int n : there->second) {
            if (found == nothing || norm(points_[n] - x) < norm(points_[found] - x)) found = n;
          }
        }
      }
    }
    return found;
  }

 private:
  using Box = std::array<std::int64_t, 3>;
  Box box_of(const Vec3& x) const {
    return {std::int64_t(std::floor(x.x / size_)), std::int64_t(std::floor(x.y / size_)),
            std::int64_t(std::floor(x.z / size_))};
  }
  const std::vector<Vec3>& points_;
  real size_;
  std::map<Box, std::vector<int>> boxes_;
};

}  // namespace solenoid
