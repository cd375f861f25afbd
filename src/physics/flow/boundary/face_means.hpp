/// Means of a prescribed velocity over faces.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh_part.hpp"
#include "model/coefficient.hpp"

namespace solenoid {

/// Mean over each of these faces at `time` [s], by Simpson's rule in 2D and a seven-point rule in 3D, exact for
/// velocities of third and fifth degree. Where halves or quarters of a face disagree with it, as at a step or a kink,
/// the face is divided until they agree to 1e-4 of its largest speed. For use inside a guard.
std::vector<Vec3> means_over_faces(const Coefficient<Vec3>& velocity, const MeshPart& part, std::span<const int> faces,
                                   real time);

}  // namespace solenoid
