#include "mesh/geometry.hpp"

#include "base/error.hpp"

namespace solenoid {

Geometry::Geometry(const Connectivity& mesh) {
  const int d = mesh.dimension;
  const auto centroid = [&](std::span<const int> points) {
    Vec3 sum;
    for (const int p : points) sum += mesh.points[p];
    return sum / static_cast<real>(points.size());
  };
  cell_volume.reserve(mesh.cells());
  cell_centre.reserve(mesh.cells());
  for (int c = 0; c < mesh.cells(); ++c) {
    const std::span<const int> v = mesh.cell_points_of(c);
    const Vec3 a = mesh.points[v[1]] - mesh.points[v[0]], b = mesh.points[v[2]] - mesh.points[v[0]];
    cell_volume.push_back(d == 2 ? cross(a, b).z / 2 : dot(cross(a, b), mesh.points[v[3]] - mesh.points[v[0]]) / 6);
    cell_centre.push_back(centroid(v));
  }
  face_area.reserve(mesh.faces());
  face_normal.reserve(mesh.faces());
  face_centre.reserve(mesh.faces());
  for (int f = 0; f < mesh.faces(); ++f) {
    const std::span<const int> v = mesh.face_points_of(f);
    const Vec3 along = mesh.points[v[1]] - mesh.points[v[0]];
    const Vec3 area = d == 2 ? Vec3{along.y, -along.x, 0} : cross(along, mesh.points[v[2]] - mesh.points[v[0]]) / 2;
    face_area.push_back(norm(area));
    face_normal.push_back(area / face_area.back());
    face_centre.push_back(centroid(v));
  }
}

std::vector<real> dual_lengths(const Geometry& geometry, const MeshPart& part, const IncidenceRows& face_cells) {
  std::vector<real> length(face_cells.rows());
  for (int f = 0; f < face_cells.rows(); ++f) {
    const int begin = face_cells.offset[f], end = face_cells.offset[f + 1];
    Vec3 span;  // from the cell with outward normal (sign of G: -1) to the other
    for (int k = begin; k < end; ++k) {
      const int c = face_cells.index[k];
      span += real(face_cells.sign[k]) * (geometry.cell_centre[c] - part.shift_to_cell(f, c));
    }
    if (end - begin == 1) span -= real(face_cells.sign[begin]) * geometry.face_centre[f];
    length[f] = dot(span, geometry.face_normal[f]);
    require_input(length[f] > 0, [&] {
      const Vec3& x = geometry.face_centre[f];
      return message("face {} at ({:.6g}, {:.6g}, {:.6g}): dual length {:.2e} m is not positive; its two cells overlap",
                     part.face_numbering.global_id[f], x.x, x.y, x.z, length[f]);
    });
  }
  return length;
}

Vec3 shape_gradient(const Connectivity& mesh, const Geometry& geometry, int cell, int corner) {
  const int face = mesh.cell_faces_of(cell)[corner];
  const Vec3 inward = mesh.points[mesh.cell_points_of(cell)[corner]] - geometry.centre_seen(mesh, face, cell);
  const real sign = dot(inward, geometry.face_normal[face]) > 0 ? 1 : -1;
  return (sign * geometry.face_area[face] / (mesh.dimension * geometry.cell_volume[cell])) * geometry.face_normal[face];
}

std::vector<Vec3> shape_gradients(const Connectivity& mesh, const Geometry& geometry, int cells) {
  std::vector<Vec3> gradients;
  gradients.reserve(static_cast<std::size_t>(cells) * mesh.corners());
  for (int c = 0; c < cells; ++c) {
    for (int k = 0; k < mesh.corners(); ++k) gradients.push_back(shape_gradient(mesh, geometry, c, k));
  }
  return gradients;
}

}  // namespace solenoid
