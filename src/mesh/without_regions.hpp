/// The part of a mesh that a fluid fills beside solids.
#pragma once

#include <string>
#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Per cell whether it is in one of these volume groups.
std::vector<char> cells_in(const Connectivity& mesh, const std::vector<std::string>& regions);

struct RemainingMesh {
  GlobalMesh mesh;
  std::vector<int> cells;  ///< its cells' numbers in the whole mesh, ascending
};

/// The mesh without the cells of these volume groups. Where it bordered on one of them its boundary has the patch of
/// that name: one that it has already, or another behind those, in the order of the mesh's regions. Entities keep their
/// order and their orientation. Serial. Throws Error (exit code 2) that names `file` where nothing remains, or where it
/// touches itself at a single node in 2D.
RemainingMesh without_regions(const std::string& file, const GlobalMesh& mesh, const std::vector<std::string>& regions);

}  // namespace solenoid
