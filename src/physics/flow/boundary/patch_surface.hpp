/// A patch of the boundary as a surface of its own, for what is solved on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// A face of a patch; in 2D with two corners.
struct PatchFace {
  std::int64_t id;                   ///< global
  std::array<std::int64_t, 3> node;  ///< global ids of the corners; the corners at a periodic seam share theirs
  std::array<Vec3, 3> corner;        ///< [m]
  std::array<bool, 3> on_wall;       ///< whether a wall touches the corner
  Vec3 inward;                       ///< unit normal into the domain
  real area;                         ///< [m^2], in 2D [m]
};

/// Barycentric coordinates of x in a triangle, or in the segment of the first two corners.
std::array<real, 3> barycentric_coordinates(const std::array<Vec3, 3>& corner, int dimension, const Vec3& x);

/// Whether each patch is a wall.
std::vector<char> walls_among(const std::vector<FlowBoundary>& of_patch);

/// All faces of a patch, gathered from all ranks, ascending in their global ids. `is_wall`: by patch. Collective.
std::vector<PatchFace> patch_surface(const LocalMesh& mesh, const std::vector<char>& is_wall, int patch);
/// The same in a whole mesh. Serial.
std::vector<PatchFace> patch_surface(const GlobalMesh& mesh, const Geometry& geometry, const std::vector<char>& is_wall,
                                     int patch);

}  // namespace solenoid
