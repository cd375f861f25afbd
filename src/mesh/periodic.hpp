/// Periodic pairs: two patches of the boundary joined into one inside the mesh.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Joins the nodes and faces of each pair of patches, a translation apart, and removes the patches from the mesh.
/// `mesh` has its cells, faces and patches, but no edges or walls yet; nodes and faces are renumbered in the order in
/// which cells first meet them. Copies of points move to the exact translated positions. Throws Error (exit code 2)
/// with `file` and the patches if a patch is missing or in two pairs, if nodes have no partner, if pairs lead to a
/// point by inconsistent paths, or if fewer than three cells lie between the patches.
void join_pairs(const std::string& file, const std::vector<std::pair<std::string, std::string>>& pairs,
                GlobalMesh& mesh);

}  // namespace solenoid
