/// Means of a prescribed velocity over faces.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh_part.hpp"
#include "model/coefficient.hpp"

namespace solenoid {

/// Over each of these faces at `time` [s]: by Simpson's rule in 2D and by one of seven points in 3D, exact for
/// velocities of third and fifth degree. Where halves or quarters of a face say otherwise, as at a step or a
/// kink, it is divided until they agree to 1e-4 of its largest speed. For use inside a guard.
std::vector<Vec3> means_over_faces(const Coefficient<Vec3>& velocity, const MeshPart& part, std::span<const int> faces,
                                   real time);

}  // namespace solenoid
