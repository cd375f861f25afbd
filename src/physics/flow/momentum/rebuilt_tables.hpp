/// Neighbourhoods of faces and nodes, for RebuiltMomentum.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Role of a face: inside, on walls and inlets, far fields, planes of symmetry, outlets, those with directed inflow.
enum class FaceKind : char { inside, sticking, far, sliding, open, directed };

struct RebuiltTables {
  /// Keeps no references.
  RebuiltTables(const LocalMesh& mesh, const FlowBoundaries& boundaries, const MemoryOf& = MemoryOf("tables"));

  // On the device. For every local face: A n, its nodes, and its kind.
  DeviceArray<Vec3> area;
  DeviceArray<int> corners;
  DeviceArray<FaceKind> kind;
  DeviceArray<Vec3> points;
  DeviceArray<int> opposite_node;         ///< by slot of D: the node opposite the face
  DeviceArray<signed char> slot_in_cell;  ///< by slot of G: the face's slot among those of its cell
  /// For owned nodes: faces of a cell times the cell + slot of the face opposite the node, from begin[n] on, by
  /// ascending global ids of cells.
  DeviceArray<int> corner_begin, corner_of_cell;
  DeviceArray<int> given_node;  ///< owned nodes with prescribed velocity
  /// For these, from begin[i] on: the local faces around with prescribed velocity, ascending in global ids.
  DeviceArray<int> giving_begin, giving_face;
  DeviceArray<int> boundary_face;      ///< owned faces of the boundary, ascending in global ids
  DeviceArray<int> place_on_boundary;  ///< of local faces in boundary_face, or -1

  /// By slot of D: the place of the opposite node in `points`.
  const int* opposite_point() const { return opposite_copy_.size() > 0 ? opposite_copy_.data() : opposite_node.data(); }
  std::int64_t corner_bytes() const {
    return static_cast<std::int64_t>((opposite_node.size() + opposite_copy_.size()) * sizeof(int));
  }

  // On the host.
  std::vector<int> sliding_node;  ///< owned, on planes of symmetry, without prescribed velocity
  std::vector<FaceKind> kinds;    ///< of every local face
  std::vector<std::vector<std::pair<std::size_t, real>>> sources;  ///< of given nodes: boundary places and weights
  /// For owned nodes: area of the faces around with prescribed velocity, else of the planes of symmetry around, or 0.
  std::vector<real> reacting_area;
  std::vector<int> boundary_places;  ///< places of boundary_face in mesh.boundary()

 private:
  void find_corners(const LocalMesh& mesh);

  DeviceArray<int> opposite_copy_;  // if points have copies
};

}  // namespace solenoid
