/// Layers of thin cells along walls.
#pragma once

#include <functional>
#include <string>

#include "io/layers/layer_settings.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Adds the layers to `mesh`; `settings.first` in metres. Layers are alike on both patches of `pairs`. The nodes of the
/// walls get copies, which move into the mesh by the thickness of the layers, and those nearby make room; prisms fill
/// the gap, or quadrangles in the plane, divided as those of a file (`append_simplices`). Where a wall ends at one
/// without layers, in a corner without room, or where cells would turn inside out the layers are thinner, down to none.
/// `say` gets their counts and how much thinner. Throws an input error for an unknown patch, for more cells than a mesh
/// or the memory can have, and for a place without room.
void add_wall_layers(MeshSource& mesh, const LayerSettings& settings, const PatchPairs& pairs,
                     const std::function<void(const std::string&)>& say);

}  // namespace solenoid
