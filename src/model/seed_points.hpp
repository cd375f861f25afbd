/// Points distributed evenly over a part of the mesh.
#pragma once

#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "model/place_of_points.hpp"

namespace solenoid {

/// `count` points of `place` inside the mesh, by an additive recurrence of the generalised golden ratio (Roberts 2018),
/// which leaves smaller gaps than random numbers: the same on any number of ranks. Collective. Throws a collective
/// Error (exit code 2) that begins with `what` if too few candidates lie in the mesh.
std::vector<Vec3> seed_points(const LocalMesh& mesh, const PlaceOfPoints& place, int count, const std::string& what);

}  // namespace solenoid
