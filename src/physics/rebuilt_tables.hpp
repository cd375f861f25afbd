/// What lies around each face and node, for RebuiltMomentum.
#pragma once

#include <utility>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow_boundary.hpp"

namespace solenoid {

/// How a face takes part: inside, on walls and inlets, far fields, planes of symmetry, outlets.
enum class FaceKind : char { inside, sticking, far, sliding, open };

struct RebuiltTables {
  /// Refers to nothing.
  RebuiltTables(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  // On the device: of every local face A n, its three nodes, and its kind; positions by cell_points().
  DeviceArray<Vec3> area;
  DeviceArray<int> corners;
  DeviceArray<FaceKind> kind;
  DeviceArray<Vec3> points;
  /// Of owned nodes, ascending in global ids: cells and the node's corner of each, and faces.
  struct Rows {
    DeviceArray<int> begin, entity, corner;
  };
  Rows cells_of_nodes, faces_of_nodes;
  DeviceArray<int> given_node;     ///< owned nodes whose velocity the boundary gives
  DeviceArray<int> boundary_face;  ///< owned faces of the boundary, ascending in global ids

  // On the host.
  std::vector<int> sliding_node;  ///< owned, on planes of symmetry, of no given velocity
  std::vector<FaceKind> kinds;    ///< of every local face
  std::vector<std::vector<std::pair<std::size_t, real>>> sources;  ///< of given nodes: boundary places and weights
  /// Of owned nodes, the area of the faces around that give a velocity; else of the planes of symmetry around, or 0.
  std::vector<real> reacting_area;
  std::vector<int> boundary_places;  ///< of boundary_face in mesh.boundary()
};

}  // namespace solenoid
