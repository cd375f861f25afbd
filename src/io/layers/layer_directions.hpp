/// Directions in which layers grow from the nodes of walls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh_source.hpp"

namespace solenoid {

/// A face that the nodes on it must not leave: of a boundary group, or between two regions.
struct BoundingFace {
  int first = 0;   ///< place of its first node in LayerSurfaces::nodes
  int patch = -1;  ///< -1: between regions
  int cell = -1;   ///< a cell beside it
  Vec3 normal;     ///< unit normal, out of `cell`
  bool is_layered = false;
};

struct LayerSurfaces {
  std::vector<BoundingFace> faces;
  std::vector<int> nodes;                   ///< of each face, dimension nodes, anticlockwise from outside its cell
  std::vector<std::vector<int>> at_point;   ///< faces at each point of the mesh
  std::vector<std::vector<Vec3>> barriers;  ///< orthonormal directions that each point must not move in
  int dimension = 2;

  std::span<const int> nodes_of(const BoundingFace& face) const {
    return std::span(nodes).subspan(static_cast<std::size_t>(face.first), static_cast<std::size_t>(dimension));
  }
  std::int64_t layered() const {  ///< number of layered faces
    return std::count_if(faces.begin(), faces.end(), [](const BoundingFace& face) { return face.is_layered; });
  }
};

/// The boundary faces of `mesh` and those between its regions; layers grow on `patches`. `joined`: see joined_points();
/// these have barriers together.
LayerSurfaces find_surfaces(const MeshSource& mesh, const std::vector<int>& patches, const std::vector<int>& joined);

/// Of each point the direction in which layers grow there, as long as the way to a unit distance from the walls: at
/// corners up to twice as long. (0, 0, 0): the point is on no such wall, or cannot leave it.
std::vector<Vec3> layer_directions(const MeshSource& mesh, const LayerSurfaces& surfaces);

/// Without its components in the directions of barriers.
Vec3 along_barriers(Vec3 direction, const std::vector<Vec3>& barriers);

}  // namespace solenoid
