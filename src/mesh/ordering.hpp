/// The space-filling curve that numbers the cells: neighbours in space are neighbours in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// The distance of each point (dimension 2 or 3) along a Hilbert curve through `box`, which contains them (Skilling
/// 2004).
std::vector<std::uint64_t> hilbert_keys(const std::vector<Vec3>& points, const Box& box, int dimension);

/// Order of `points` (dimension 2 or 3) along a Hilbert curve through their bounding box (Skilling 2004): result[k] is
/// the index of the k-th point on the curve. Coincident points keep their order.
std::vector<int> hilbert_order(const std::vector<Vec3>& points, int dimension);

}  // namespace solenoid
