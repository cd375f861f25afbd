/// Boundary faces of a rank with their inside cell, patch and outward side.
#pragma once

#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/mesh_part.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// A face with one cell only.
struct BoundaryFace {
  int face;             ///< local index
  int cell;             ///< the cell inside, local index; a halo cell if another rank owns it
  int patch;            ///< index into Connectivity::patches
  int orientation;      ///< +1 if the face's own normal points out of the domain, else -1
  bool is_owned;        ///< by this rank; each boundary face of the mesh has one owner
  Vec3 outward_normal;  ///< unit length, out of the domain
  Vec3 outward_area;    ///< A n, out of the domain [m^2]
};

/// The owned boundary faces for kernels, ascending in their global ids: arrays of `count` values.
struct BoundaryView {
  int count = 0;
  const int* place = nullptr;            ///< index into the host table
  const int* face = nullptr;             ///< local index
  const int* cell = nullptr;             ///< the cell inside, local index
  const int* node = nullptr;             ///< local indices of the corners, `dimension` per face
  const Vec3* outward_area = nullptr;    ///< A n, out of the domain [m^2]
  const Vec3* outward_normal = nullptr;  ///< unit length
};

/// All boundary faces of a rank's part, halo included, ascending in their global ids.
class Boundary {
 public:
  Boundary() = default;
  Boundary(const MeshPart& part, const Geometry& geometry);

  int size() const { return static_cast<int>(faces_.size()); }
  const BoundaryFace& operator[](std::size_t i) const { return faces_[i]; }
  auto begin() const { return faces_.begin(); }
  auto end() const { return faces_.end(); }

  BoundaryView owned() const {
    return {
        static_cast<int>(place_.size()), place_.data(), face_.data(), cell_.data(), node_.data(), outward_area_.data(),
        outward_normal_.data()};
  }

 private:
  std::vector<BoundaryFace> faces_;
  DeviceArray<int> place_, face_, cell_, node_;
  DeviceArray<Vec3> outward_area_, outward_normal_;
};

/// A local node and one of its points.
struct NodeAt {
  int node, point;
};

/// Corners of a boundary face: of a triangle in the order whose right-hand normal points out of the domain, of a side
/// in 2D in the order of Connectivity::face_nodes.
std::vector<NodeAt> outward_corners(const Connectivity& mesh, const BoundaryFace& face);

}  // namespace solenoid
