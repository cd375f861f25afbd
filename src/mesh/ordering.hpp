/// The space-filling curve that numbers the cells: neighbours in space are neighbours in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Order of `points` (dimension 2 or 3) along a Hilbert curve through their bounding box (Skilling 2004): result[k] is
/// the index of the k-th point on the curve. Coincident points keep their order.
std::vector<int> hilbert_order(const std::vector<Vec3>& points, int dimension);

}  // namespace solenoid
