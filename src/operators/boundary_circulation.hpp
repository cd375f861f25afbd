/// The boundary's share b of the circulation around each node: where a moving or resting wall enters the vorticity.
#pragma once

#include <array>
#include <span>

#include "field/field.hpp"

namespace solenoid {

/// b_n = boundary integral of u_tau phi_n [m^2/s] in 2D: a boundary face along t (with its length, fluid on the left)
/// with end velocities u_a, u_c gives node a (u_a/3 + u_c/6).t.
class BoundaryCirculation {
 public:
  /// Throws a collective Error (exit code 2) on a mesh of tetrahedra.
  explicit BoundaryCirculation(const LocalMesh& mesh);

  /// Velocity [m/s] of the boundary at the two end nodes of each of mesh.boundary(), in the order of its
  /// face_nodes.
  void set(std::span<const std::array<Vec3, 2>> end_velocity);

  /// b, zero away from the boundary.
  const Field<Edge>& field() const { return field_; }

 private:
  struct End {
    int face, end;  // place in mesh.boundary(), and which of its two nodes
  };
  std::vector<Vec3> along_;             // t per boundary face
  std::vector<std::vector<End>> ends_;  // per owned boundary node
  std::vector<int> nodes_;              // owned boundary nodes
  DeviceArray<int> device_nodes_;
  DeviceArray<real> device_values_;
  Field<Edge> field_;
};

}  // namespace solenoid
