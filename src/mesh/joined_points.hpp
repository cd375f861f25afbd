/// Points that periodic pairs of patches make one, in a mesh that is not connected yet.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Names of two patches a translation apart.
using PatchPairs = std::vector<std::pair<std::string, std::string>>;

/// Of each point the lowest of those that pairs of patches, a translation apart, make one with it; the point itself on
/// no pair. Where the patches are not alike, or the mesh has none of the name, points stay alone: the mesh is refused
/// when it is connected.
std::vector<int> joined_points(const MeshSource& mesh, const PatchPairs& pairs);

/// Whether both patches of each pair have the same joined points.
bool has_points_alike(const MeshSource& mesh, const PatchPairs& pairs, const std::vector<int>& joined);

/// Whether both patches of each pair have the same faces between joined points. `joined`: as joined_points() has them.
bool has_faces_alike(const MeshSource& mesh, const PatchPairs& pairs, const std::vector<int>& joined);

}  // namespace solenoid
