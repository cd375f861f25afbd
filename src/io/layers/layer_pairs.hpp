/// Points of periodic pairs, on which layers have to be alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Of each point the lowest of those that pairs of patches, a translation apart, make one with it; the point itself on
/// no pair. Where the patches are not alike, or the mesh has none of the name, points stay alone: the mesh is refused
/// when it is connected.
std::vector<int> joined_points(const MeshSource& mesh, const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace solenoid
