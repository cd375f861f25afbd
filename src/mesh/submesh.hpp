/// A mesh without some of its cells: the fluid without solids, a rank's part with fewer halo layers.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh_part.hpp"
#include "mesh/topology.hpp"

namespace solenoid {

/// The part that distribute() would return with `layers`, cut from a part with more layers. No communication.
MeshPart part_with_fewer_layers(const MeshPart& part, int layers);

/// Per cell: whether it is in one of these volume groups.
std::vector<char> cells_in(const Connectivity& mesh, const std::vector<std::string>& regions);

struct RemainingMesh {
  GlobalMesh mesh;
  std::vector<int> cells;  ///< their numbers in the whole mesh, ascending
};

/// The mesh without the cells of these volume groups. Its new boundary faces get a patch with the name of the removed
/// group: an existing patch of that name, or a new one after the others, in the order of the mesh's regions. Entities
/// keep their order and orientation. Serial. Throws Error (exit code 2) with `file` if nothing remains, or if the rest
/// touches itself at a single node in 2D.
RemainingMesh without_regions(const std::string& file, const GlobalMesh& mesh, const std::vector<std::string>& regions);

}  // namespace solenoid
