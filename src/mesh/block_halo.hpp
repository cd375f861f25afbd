/// From the block of a mesh on each rank to its part with a halo.
#pragma once

#include "mesh/mesh_block.hpp"
#include "mesh/mesh_part.hpp"

namespace solenoid {

/// The part that distribute() would give of the whole mesh, shared out by these blocks of cells. Collective.
MeshPart part_of_block(const Comm& comm, const MeshBlock& block, int layers);

}  // namespace solenoid
