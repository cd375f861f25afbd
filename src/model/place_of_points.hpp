/// Parts of space that a case names, boxes and balls, and how messages name where a mesh reaches.
#pragma once

#include <string>
#include <variant>

#include "base/comm.hpp"
#include "base/vec3.hpp"

namespace solenoid {

/// The box between two corners; if these have a coordinate in common, a rectangle or a segment.
struct BoxOfPoints {
  Vec3 from, to;  ///< [m]
};
/// In 2D a disc.
struct BallOfPoints {
  Vec3 centre;      ///< [m]
  real radius = 0;  ///< [m]
};
using PlaceOfPoints = std::variant<BoxOfPoints, BallOfPoints>;

/// Whether x lies there, or on its surface.
bool is_within(const PlaceOfPoints& place, const Vec3& x);

/// "from (x, y) to (x, y) m": the box of all ranks' boxes. Collective.
std::string text_of_extent(const Comm& comm, const Box& own, int dimension);

}  // namespace solenoid
