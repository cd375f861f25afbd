/// Meshes of the unit square and the unit cube, for tests and benchmarks.
#pragma once

#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The unit square as 2 n^2 triangles. Patches: "lid" (y = 1), "wall" (the rest). `distortion` in [0, 0.4):
/// displacement of inner nodes, up to that fraction of the spacing, the same in every call.
MeshSource unit_square(int n, real distortion = 0);

/// The unit cube as 6 n^3 tetrahedra (Kuhn's division). Patches: "lid" (y = 1), "wall" (the rest).
MeshSource unit_cube(int n, real distortion = 0);

}  // namespace solenoid
