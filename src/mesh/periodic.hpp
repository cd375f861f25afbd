/// Periodic pairs: two patches of the boundary joined into one inside the mesh.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Joins the nodes and faces of each pair of patches, a translation apart, and takes the patches off the mesh. `mesh`
/// has its cells, faces and patches, and neither edges nor walls yet; nodes and faces get new numbers in the order in
/// which cells first meet them. Copies of points are moved to where the translation puts them. Throws Error (exit code
/// 2), naming `file` and the patches, where a patch is missing or in two pairs, where nodes have no partner, where
/// pairs lead to a place by ways that do not agree, or where fewer than three cells lie between the patches.
void join_pairs(const std::string& file, const std::vector<std::pair<std::string, std::string>>& pairs,
                GlobalMesh& mesh);

}  // namespace solenoid
