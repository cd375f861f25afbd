#include "mesh/boundary.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace solenoid {

Boundary::Boundary(const MeshPart& part, const Geometry& geometry) {
  const auto ascending = [&](int a, int b) {
    return part.node_numbering.global_id[a] < part.node_numbering.global_id[b];
  };
  for (int c = 0; c < part.cells(); ++c) {
    for (int k = 0; k < part.corners(); ++k) {
      const int f = part.cell_faces_of(c)[k];
      if (part.face_patch[f] < 0) continue;
      const int sign = part.face_sign(c, k, ascending);
      const Vec3 normal = real(sign) * geometry.face_normal[f];
      faces_.push_back(
          {f, c, part.face_patch[f], sign, f < part.face_numbering.owned, normal, geometry.face_area[f] * normal});
    }
  }
  const auto& id = part.face_numbering.global_id;
  std::sort(faces_.begin(), faces_.end(),
            [&](const BoundaryFace& a, const BoundaryFace& b) { return id[a.face] < id[b.face]; });

  const int d = part.dimension;
  std::vector<int> place, face, cell, node;
  std::vector<Vec3> outward_area, outward_normal;
  for (int i = 0; i < size(); ++i) {
    if (!faces_[i].is_owned) continue;
    place.push_back(i);
    face.push_back(faces_[i].face);
    cell.push_back(faces_[i].cell);
    const int* const corners = &part.face_nodes[faces_[i].face * d];
    node.insert(node.end(), corners, corners + d);
    outward_area.push_back(faces_[i].outward_area);
    outward_normal.push_back(faces_[i].outward_normal);
  }
  place_ = DeviceArray<int>(place);
  face_ = DeviceArray<int>(face);
  cell_ = DeviceArray<int>(cell);
  node_ = DeviceArray<int>(node);
  outward_area_ = DeviceArray<Vec3>(outward_area);
  outward_normal_ = DeviceArray<Vec3>(outward_normal);
}

std::vector<NodeAt> outward_corners(const Connectivity& mesh, const BoundaryFace& face) {
  std::vector<NodeAt> corners;
  for (int k = 0; k < mesh.dimension; ++k) {
    corners.push_back({mesh.face_nodes_of(face.face)[k], mesh.face_points_of(face.face)[k]});
  }
  if (mesh.dimension == 3 && face.orientation < 0) std::swap(corners[1], corners[2]);
  return corners;
}

}  // namespace solenoid
