/// Means of a prescribed velocity over faces.
#pragma once

#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Mean of the prescribed velocity over each of mesh.boundary() that fluid may cross with it (inlets, far fields) at
/// `time` [s], 0 on the others: by Simpson's rule in 2D and a seven-point rule in 3D, exact for velocities of third and
/// fifth degree. Where halves or quarters of a face disagree with it, as at a step or a kink, the face is divided until
/// they agree to 1e-4 of its largest speed. For use inside a guard.
std::vector<Vec3> means_over_faces(const LocalMesh& mesh, const FlowBoundaries& boundaries, real time);

}  // namespace solenoid
