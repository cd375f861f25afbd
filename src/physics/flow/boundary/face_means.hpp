/// Means over faces of prescribed velocities and other functions.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// A function at points of faces: the values at the points `at`, each on the face of the same index in `faces`.
using OnFaces = std::function<std::vector<Vec3>(std::span<const std::size_t> faces, std::span<const Vec3> at)>;

/// Mean of a function over each of these faces, given by their corners, in 2D two: by Simpson's rule in 2D and a
/// seven-point rule in 3D, exact for functions of third and fifth degree. Where halves or quarters of a face disagree
/// with it, as at a step or a kink, the face is divided until they agree to 1e-4 of its largest value.
std::vector<Vec3> means_over(std::span<const std::array<Vec3, 3>> faces, int dimension, const OnFaces& function);

/// Mean of the prescribed velocity, without turbulence, over each of mesh.boundary() that fluid may cross with it
/// (inlets, far fields) at `time` [s], 0 on the others: that of its profile on an inlet with a flow rate, else by
/// means_over(). For use inside a guard.
std::vector<Vec3> means_over_faces(const LocalMesh& mesh, const FlowBoundaries& boundaries, real time);

}  // namespace solenoid
