/// The boundary's share b of the circulation around each node: where a moving or resting wall enters the vorticity.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// b_n = boundary integral of u_tau phi_n [m^2/s] in 2D: a boundary face along t (with its length, fluid on the left)
/// with end velocities u_a, u_c gives node a (u_a/3 + u_c/6).t.
class BoundaryCirculation {
 public:
  /// `is_open`: per mesh.boundary(), the fluid's own velocity counts there, see OpenVelocity; empty: nowhere. Throws a
  /// collective Error (exit code 2) on a mesh of tetrahedra.
  explicit BoundaryCirculation(const LocalMesh& mesh, const std::vector<char>& is_open = {});

  /// Velocity [m/s] of the boundary at the two end nodes of each of mesh.boundary(), in the order of its
  /// face_nodes; what is given for open faces does not count.
  void set(std::span<const std::array<Vec3, 2>> end_velocity);

  /// Takes the fluid's velocity behind open faces, at the nodes opposite to them.
  void update(Exchanged<Node, Vec3> behind);

  /// b, zero away from the boundary.
  const Field<Edge>& field() const { return field_; }

 private:
  struct End {
    int face, end;  // place in mesh.boundary(), and which of its two nodes
  };
  std::vector<Vec3> along_;             // t per boundary face; 0 where it is open
  std::vector<std::vector<End>> ends_;  // per owned boundary node
  std::vector<int> nodes_;              // owned boundary nodes
  DeviceArray<int> device_nodes_;
  DeviceArray<real> device_values_;
  // Of the open faces that end in each of nodes_: where they begin, the nodes behind them, t.
  DeviceArray<int> open_offset_, open_behind_;
  DeviceArray<Vec3> open_along_;
  Field<Edge> field_;
};

}  // namespace solenoid
