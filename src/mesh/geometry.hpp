/// Centres, volumes, areas and lever arms of a rank's cells and faces, on the host.
#pragma once

#include <vector>

#include "mesh/incidence.hpp"
#include "mesh/mesh_part.hpp"

namespace solenoid {

/// For every local cell and face, halo included. In 2D with unit depth: volumes are areas [m^2 * 1 m], areas are
/// lengths [m * 1 m].
struct Geometry {
  std::vector<real> cell_volume;  ///< V_c [m^3]
  std::vector<Vec3> cell_centre;  ///< x_c, the centroid [m]
  std::vector<real> face_area;    ///< A_f [m^2]
  std::vector<Vec3> face_centre;  ///< x_f, the centroid, of Connectivity::face_points [m]
  std::vector<Vec3> face_normal;  ///< n_f, unit length, oriented as in Connectivity

  explicit Geometry(const Connectivity& mesh);

  /// x_f as seen from the cell, which differs from the face's own place across a periodic pair [m].
  Vec3 centre_seen(const Connectivity& mesh, int face, int cell) const {
    return face_centre[face] + mesh.shift_to_cell(face, cell);
  }
};

/// L_f [m] of each owned face: the projected distance (x_2 - x_1).n between the centroids of its cells, on a boundary
/// face between the centroids of cell and face. Positive if each cell lies on its own side of the face; throws Error
/// (exit code 2) otherwise.
std::vector<real> dual_lengths(const Geometry& geometry, const MeshPart& part, const IncidenceRows& face_cells);

/// Gradient of the linear function that is 1 at corner k of the cell and 0 at the others [1/m].
Vec3 shape_gradient(const Connectivity& mesh, const Geometry& geometry, int cell, int corner);

/// The gradients of all corners of the first `cells` cells.
std::vector<Vec3> shape_gradients(const Connectivity& mesh, const Geometry& geometry, int cells);

}  // namespace solenoid
