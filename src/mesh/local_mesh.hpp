/// A rank's mesh on its device: incidence tables, metrics and halo exchanges; what every operator works on.
#pragma once

#include <memory>
#include <type_traits>

#include "mesh/boundary.hpp"
#include "mesh/exchange_plan.hpp"
#include "mesh/geometry.hpp"
#include "mesh/halo_exchange.hpp"
#include "mesh/incidence.hpp"
#include "mesh/mesh_part.hpp"

namespace solenoid {

/// Owned entities first, then the halo. Incidences have a row for each owned entity; D C = 0 and R G = 0 exactly.
class LocalMesh {
 public:
  /// Collective. Throws a collective Error where the halo is too thin for the operators or a metric is not positive.
  LocalMesh(const Comm& comm, MeshPart part);
  LocalMesh(const LocalMesh&) = delete;
  LocalMesh& operator=(const LocalMesh&) = delete;

  const Incidence<Cell, Face> D;  ///< divergence: + where the face's normal leaves the cell
  const Incidence<Face, Cell> G;  ///< gradient = -D^T
  const Incidence<Face, Edge> C;  ///< curl
  const Incidence<Edge, Face> R;  ///< rotation = C^T

  const Comm& comm() const { return comm_; }
  int dimension() const { return part_.dimension; }
  template <class L>
  int owned() const {
    return numbering<L>().owned;
  }
  template <class L>
  int total() const {
    return numbering<L>().total();
  }
  template <class L>
  std::int64_t global_count() const {
    return numbering<L>().global_count;
  }
  template <class L>
  const LocalNumbering& numbering() const {
    if constexpr (std::is_same_v<L, Node>)
      return part_.node_numbering;
    else if constexpr (std::is_same_v<L, Edge>)
      return part_.edge_numbering;
    else if constexpr (std::is_same_v<L, Face>)
      return part_.face_numbering;
    else
      return part_.cell_numbering;
  }

  /// 1: owned here, 0: a copy of another rank's value.
  template <class L>
  View<L, const real> marker() const {
    return {per_location<L>().marker.data()};
  }
  template <class L>
  HaloExchange& exchange() const {
    return *per_location<L>().exchange;
  }

  // Metrics: of every local cell, arms by slot of the tables.
  View<Cell, const real> cell_volume() const { return {cell_volume_.data()}; }  ///< V_c [m^3]
  const Vec3* face_arm() const { return face_arm_.data(); }                     ///< x_f - x_c [m], by slot of D
  const Vec3* cell_arm() const { return cell_arm_.data(); }                     ///< x_f - x_c [m], by slot of G
  const std::vector<real>& dual_length() const { return dual_length_; }         ///< L_f [m] of owned faces, on the host

  /// Nodes of every local cell, dimension + 1 each.
  const int* cell_nodes() const { return cell_nodes_.data(); }

  /// Local faces on the boundary, halo included, ascending in their global ids, and their numbers alone.
  const Boundary& boundary() const { return boundary_; }
  const std::vector<int>& boundary_faces() const { return boundary_faces_; }
  const MeshPart& part() const { return part_; }
  const Geometry& geometry() const { return geometry_; }

 private:
  struct PerLocation {
    DeviceArray<real> marker;
    std::unique_ptr<HaloExchange> exchange;
  };
  template <class L>
  const PerLocation& per_location() const {
    if constexpr (std::is_same_v<L, Node>)
      return node_;
    else if constexpr (std::is_same_v<L, Edge>)
      return edge_;
    else if constexpr (std::is_same_v<L, Face>)
      return face_;
    else
      return cell_;
  }
  PerLocation set_up(const LocalNumbering& numbering) const;
  struct Tables {
    Incidence<Cell, Face> D;
    Incidence<Face, Cell> G;
    Incidence<Face, Edge> C;
    Incidence<Edge, Face> R;
  };
  static Tables tables_of(const Comm& comm, const MeshPart& part);  // collective
  LocalMesh(const Comm& comm, Tables tables, MeshPart&& part);

  Comm comm_;
  MeshPart part_;
  Geometry geometry_;
  Boundary boundary_;
  std::vector<int> boundary_faces_;
  DeviceArray<real> cell_volume_;
  std::vector<real> dual_length_;
  DeviceArray<Vec3> face_arm_, cell_arm_;
  DeviceArray<int> cell_nodes_;
  PerLocation node_, edge_, face_, cell_;
};

}  // namespace solenoid
