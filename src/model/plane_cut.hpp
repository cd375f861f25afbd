/// The polygons, on triangle meshes segments, in which a surface cuts the cells of a mesh: a plane, or a level of a
/// function that is linear in each cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "model/place_of_points.hpp"

namespace solenoid {

struct Plane {
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< unit length; on triangle meshes in their plane
};

/// A corner of the cut of a cell, on the edge between two corners of the cell: (1 - share) x_above + share x_below. At
/// a corner of the cell both are this one.
struct CutCorner {
  int above, below;
  real share;
};

/// The cut of one cell.
struct CutPiece {
  int cell = 0;           ///< an owned cell
  Vec3 area;              ///< A n, n along the plane's normal, or towards larger values [m^2]
  Vec3 centre;            ///< centroid [m]
  real weight[4]{};       ///< barycentric coordinates of the centroid in the cell
  int corners = 0;        ///< 3 or 4, on triangle meshes 2
  CutCorner corner[4]{};  ///< around it, the right-hand rule along n; of a segment with n on the right
};

/// The place of its corner number `k` [m].
Vec3 place_of(const MeshPart& part, const CutPiece& piece, int k);

/// The cuts of the owned cells, ascending in the cells, at most one of each; none in cells where `is_left_out`, one
/// flag per local cell.
///
/// Nodes at a distance of at least 0 are on the positive side, and one within round-off has the distance 0. Cut points
/// of an edge are the same in all its cells: so the pieces join without gaps, and the fluxes of cell velocities whose
/// normal components are continuous and without divergence add up to the same number for all planes across a duct. A
/// face in the plane counts once, for its cell on the negative side, or for its only cell. Collective.
std::vector<CutPiece> cut_by(const LocalMesh& mesh, const Plane& plane, const std::vector<char>& is_left_out);

/// The same for the level `value` of a function in place of the distance from a plane; `at_nodes`: its values at the
/// local nodes, halo included. Collective.
std::vector<CutPiece> cut_at(const LocalMesh& mesh, const std::vector<real>& at_nodes, real value,
                             const std::vector<char>& is_left_out);

/// The cut by a plane, or of it the cuts of cells with their centroids `within`. Collective. Throws a collective Error
/// (exit code 2) that begins with `what` and names the key `plane` or `within` if there is no cut of the `domain`, as
/// the message calls it, or if a normal points out of a triangle mesh.
std::vector<CutPiece> cut_within(const LocalMesh& mesh, const Plane& plane, const std::optional<PlaceOfPoints>& within,
                                 const std::vector<char>& is_left_out, const std::string& what,
                                 const std::string& domain);

}  // namespace solenoid
