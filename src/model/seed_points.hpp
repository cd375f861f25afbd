/// Points distributed evenly over a part of the mesh.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "mesh/local_mesh.hpp"

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

/// `count` points of `place` inside the mesh, by an additive recurrence of the generalised golden ratio (Roberts 2018),
/// which leaves smaller gaps than random numbers: the same on any number of ranks. Collective. Throws a collective
/// Error (exit code 2) that begins with `what` if too few candidates lie in the mesh.
std::vector<Vec3> seed_points(const LocalMesh& mesh, const PlaceOfPoints& place, int count, const std::string& what);

}  // namespace solenoid
