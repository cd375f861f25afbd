/// A rank's part of a mesh with fewer halo layers.
#pragma once

#include "mesh/mesh_part.hpp"

namespace solenoid {

/// What distribute() gives with `layers`, out of a part with more. Takes no messages.
MeshPart part_with_fewer_layers(const MeshPart& part, int layers);

}  // namespace solenoid
