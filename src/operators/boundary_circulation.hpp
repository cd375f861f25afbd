/// Contribution b of the boundary to the circulation around each edge, by which walls enter the vorticity.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// Corners at the ends of a triangle's edges, in the order of Connectivity::face_edges.
inline constexpr std::size_t triangle_edge_ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};

/// In 2D its nodes.
std::span<const int> edges_of_face(const MeshPart& part, int face);

/// Of the barycentric coordinates of a triangle's corners, in its plane [1/m].
std::array<Vec3, 3> triangle_gradients(const MeshPart& part, int face);

/// Where the velocity of the boundary counts: `dimension` places for each of mesh.boundary(), the ends of a side in 2D
/// in the order of its face_points, the middles of a triangle's edges in 3D in that of its face_edges.
std::vector<Vec3> boundary_places(const LocalMesh& mesh);

/// b_e = boundary integral of (n x u).phi_e [m^2/s], n out of the domain, phi_e the edge's function: 1-forms of lowest
/// degree (Nedelec 1980; in 2D, where edges are nodes seen end-on, P1). Exact for velocities that are linear on each
/// face. In 2D a side along t (with its length, fluid on the left) with end velocities u_a, u_c gives node a (u_a/3 +
/// u_c/6).t; in 3D a triangle is summed over the middles of its edges.
class BoundaryCirculation {
 public:
  /// `is_open`: per mesh.boundary(), the fluid's own velocity counts there, see OpenVelocity; empty: nowhere.
  explicit BoundaryCirculation(const LocalMesh& mesh, const std::vector<char>& is_open = {});

  /// Velocity [m/s] of the boundary at each of boundary_places(); what is given for open faces does not count.
  void set(std::span<const Vec3> velocity);

  /// Takes the fluid's velocity behind open faces, at the nodes opposite to them.
  void update(Exchanged<Node, Vec3> behind);

  /// b, zero away from the boundary.
  const Field<Edge>& field() const { return field_; }

 private:
  /// What a boundary face gives an edge: u.weight summed over its places.
  struct Share {
    int face;  // place in mesh.boundary()
    std::array<Vec3, 3> weight;
  };

  std::size_t places_;                      // of a face
  std::vector<char> is_open_;               // per boundary face
  std::vector<std::vector<Share>> shares_;  // per edge of edges_
  std::vector<int> edges_;                  // owned ones on the boundary
  DeviceArray<int> device_edges_;
  DeviceArray<real> device_values_;
  // Of the open faces at each of edges_: where they begin, the nodes behind them, the sum of weights.
  DeviceArray<int> open_offset_, open_behind_;
  DeviceArray<Vec3> open_weight_;
  Field<Edge> field_;
};

}  // namespace solenoid
