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
  int cell;             ///< the cell inside, local index; a halo cell where another rank owns it
  int patch;            ///< place in Connectivity::patches
  int orientation;      ///< +1 where the face's own normal leaves the domain, -1 where it enters
  bool is_owned;        ///< by this rank; each boundary face of the mesh is by one
  Vec3 outward_normal;  ///< unit length, out of the domain
  Vec3 outward_area;    ///< A n, out of the domain [m^2]
};

/// The owned boundary faces as kernels see them, ascending in their global ids: arrays of `count` values.
struct BoundaryView {
  int count = 0;
  const int* place = nullptr;            ///< in the table on the host
  const int* face = nullptr;             ///< local index
  const int* cell = nullptr;             ///< the cell inside, local index
  const int* node = nullptr;             ///< local indices of its corners, `dimension` in a row for each
  const Vec3* outward_area = nullptr;    ///< A n, out of the domain [m^2]
  const Vec3* outward_normal = nullptr;  ///< unit length
};

/// Every boundary face of a rank's part, halo included, ascending in their global ids.
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

/// A local node and the point of it where it is.
struct NodeAt {
  int node, point;
};

/// Those of a boundary face: of a triangle turned so that its normal by the right hand leaves the domain, of
/// a side in 2D in the order of Connectivity::face_nodes.
std::vector<NodeAt> outward_corners(const Connectivity& mesh, const BoundaryFace& face);

}  // namespace solenoid
