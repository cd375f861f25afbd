/// A rank's mesh on its device: incidence tables, metrics, boundary faces and halo exchanges. Every operator works on
/// it.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/incidence.hpp"
#include "mesh/layout.hpp"
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

/// Owned entities come first, then the halo. Incidence tables have one row per owned entity; D C = 0 and R G = 0
/// exactly.
class LocalMesh {
 public:
  /// Collective. Throws a collective Error if the halo is too thin for the operators or a metric is not positive.
  LocalMesh(const Comm& comm, MeshPart part, const MemoryOf& = MemoryOf("mesh"));
  LocalMesh(const LocalMesh&) = delete;
  LocalMesh& operator=(const LocalMesh&) = delete;

  const Incidence<Cell, Face> D;  ///< divergence: + if the face's normal points out of the cell
  const Incidence<Face, Cell> G;  ///< gradient = -D^T
  const Incidence<Face, Edge> C;  ///< curl
  const Incidence<Edge, Face> R;  ///< rotation = C^T

  const Comm& comm() const { return comm_; }
  int dimension() const { return part_->dimension; }
  /// Ownership and halo exchange of the entities at L.
  template <class L>
  const Layout& layout() const {
    if constexpr (std::is_same_v<L, Node>)
      return node_;
    else if constexpr (std::is_same_v<L, Edge>)
      return edge_;
    else if constexpr (std::is_same_v<L, Face>)
      return face_;
    else
      return cell_;
  }
  template <class L>
  int owned() const {
    return layout<L>().owned();
  }
  template <class L>
  int total() const {
    return layout<L>().total();
  }
  template <class L>
  std::int64_t global_count() const {
    return layout<L>().global_count();
  }
  template <class L>
  const LocalNumbering& numbering() const {
    return layout<L>().numbering();
  }

  // Metrics: volumes by local cell, arms by slot of the tables.
  View<Cell, const real> cell_volume() const { return {cell_volume_.data()}; }  ///< V_c [m^3]
  const Vec3* face_arm() const { return face_arm_.data(); }                     ///< x_f - x_c [m], by slot of D
  const Vec3* cell_arm() const { return cell_arm_.data(); }                     ///< x_f - x_c [m], by slot of G
  const std::vector<real>& dual_length() const { return dual_length_; }         ///< L_f [m] of owned faces, on the host

  /// Nodes of every local cell, dimension + 1 each.
  const int* cell_nodes() const { return cell_nodes_.data(); }
  /// Points of these nodes: indices into part().points.
  const int* cell_points() const { return cell_points_.size() > 0 ? cell_points_.data() : cell_nodes(); }

  /// Local faces on the boundary, halo included, ascending in their global ids.
  const Boundary& boundary() const { return boundary_; }
  const MeshPart& part() const { return *part_; }
  const Geometry& geometry() const { return geometry_; }

 private:
  struct Tables {
    Incidence<Cell, Face> D;
    Incidence<Face, Cell> G;
    Incidence<Face, Edge> C;
    Incidence<Edge, Face> R;
  };
  static Tables tables_of(const Comm& comm, const MeshPart& part);  // collective
  LocalMesh(const Comm& comm, const std::shared_ptr<const MeshPart>& part);
  LocalMesh(const Comm& comm, Tables tables, std::shared_ptr<const MeshPart> part);

  Comm comm_;
  std::shared_ptr<const MeshPart> part_;
  Layout node_, edge_, face_, cell_;
  Geometry geometry_;
  Boundary boundary_;
  DeviceArray<real> cell_volume_;
  std::vector<real> dual_length_;
  DeviceArray<Vec3> face_arm_, cell_arm_;
  DeviceArray<int> cell_nodes_, cell_points_;  // the points only if they differ from the nodes
};

}  // namespace solenoid
