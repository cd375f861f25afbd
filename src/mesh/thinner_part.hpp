/// A rank's part of a mesh with fewer layers of halo cells than it came with.
#pragma once

#include "mesh/mesh_part.hpp"

namespace solenoid {

/// What distribute() gives with `layers`, out of a part with more. Takes no messages.
MeshPart thinner_part(const MeshPart& part, int layers);

}  // namespace solenoid
