/// Layers of thin cells along walls.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh_source.hpp"

namespace solenoid {

/// [mesh.layers]: `count` layers on each of `patches`, the one at the wall `first` thick, each next `growth` times.
struct LayerSettings {
  std::vector<std::string> patches;
  double first = 0, growth = 1.2;
  int count = 0;  ///< 0: no layers

  double thickness() const;  ///< of all, in the unit of `first`
  std::string text() const;  ///< identifies the settings
};

/// Adds the layers to `mesh`; `settings.first` in metres. The nodes of the walls get copies, which move into the mesh
/// by the thickness of the layers, and those nearby make room; prisms fill the gap, or quadrangles in the plane,
/// divided as those of a file (`append_simplices`). Where a wall ends at one without layers, in a corner without room,
/// or where cells would turn inside out the layers are thinner, down to none. `say` gets their counts and how much
/// thinner. Throws an input error for an unknown patch.
void add_wall_layers(MeshSource& mesh, const LayerSettings& settings,
                     const std::function<void(const std::string&)>& say);

}  // namespace solenoid
