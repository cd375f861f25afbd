/// A rank's part of a mesh with fewer halo layers.
#pragma once

#include "mesh/mesh_part.hpp"

namespace solenoid {

/// The part that distribute() would return with `layers`, cut from a part with more layers. No communication.
MeshPart part_with_fewer_layers(const MeshPart& part, int layers);

}  // namespace solenoid
