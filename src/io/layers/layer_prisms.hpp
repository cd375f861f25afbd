/// The simplices of layers: between the nodes of a wall's face and those above them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Positive: in 2D three points are anticlockwise; in 3D the first three are so, seen from the fourth.
real signed_volume(std::span<const Vec3> corners);

/// Nodes of the simplices of the prism between `bottom` and `top`, a quadrangle in the plane, of 3 or 2 nodes each, as
/// `append_simplices` divides it; without those that are flat because a node has none above it.
std::vector<std::int64_t> simplices_of_prism(std::span<const std::int64_t> bottom, std::span<const std::int64_t> top);

/// The same of the strip between two edges; in the plane, of the edge between two nodes.
std::vector<std::int64_t> simplices_of_strip(std::span<const std::int64_t> bottom, std::span<const std::int64_t> top);

}  // namespace solenoid
