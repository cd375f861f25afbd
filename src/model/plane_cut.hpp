/// The polygons, on triangle meshes segments, in which a plane cuts the cells of a mesh.
#pragma once

#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

struct Plane {
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< unit length; on triangle meshes in their plane
};

/// The cut of one cell.
struct CutPiece {
  int cell = 0;      ///< an owned cell
  Vec3 area;         ///< A n, n along the plane's normal [m^2]
  Vec3 centre;       ///< centroid [m]
  real weight[4]{};  ///< barycentric coordinates of the centroid in the cell
};

/// The cuts of the owned cells, ascending in the cells; none in cells where `is_left_out`, one flag per local cell.
///
/// Nodes at a distance of at least 0 are on the positive side, and one within round-off has the distance 0. Cut points
/// of an edge are the same in all its cells: so the pieces join without gaps, and the fluxes of cell velocities whose
/// normal components are continuous and without divergence add up to the same number for all planes across a duct. A
/// face in the plane counts once, for its cell on the negative side, or for its only cell. Collective.
std::vector<CutPiece> cut_by(const LocalMesh& mesh, const Plane& plane, const std::vector<char>& is_left_out);

}  // namespace solenoid
