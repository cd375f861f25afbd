/// Fingerprint of a mesh and its numbering, for files whose values are in the order of global ids.
#pragma once

#include <cstdint>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// Fingerprint of points, cells, regions and patches. Collective.
std::int64_t fingerprint_of(const LocalMesh& mesh);

}  // namespace solenoid
