/// Contribution b of the boundary to the circulation around each edge, by which walls enter the vorticity.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// Corners at the ends of a triangle's edges, ordered as in Connectivity::face_edges.
inline constexpr std::size_t triangle_edge_ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};

/// Edges of a face; in 2D its nodes.
std::span<const int> edges_of_face(const MeshPart& part, int face);

/// Gradients of the barycentric coordinates of a triangle, in its plane [1/m].
std::array<Vec3, 3> triangle_gradients(const MeshPart& part, int face);

/// Sample points of the boundary velocity: `dimension` points per face of mesh.boundary(), in 2D the ends of the side
/// in the order of its face_points, in 3D the midpoints of the triangle's edges in the order of its face_edges.
std::vector<Vec3> boundary_places(const LocalMesh& mesh);

/// b_e = boundary integral of (n x u).phi_e [m^2/s], n out of the domain, phi_e the edge's function: 1-forms of lowest
/// degree (Nedelec 1980; in 2D, where edges are nodes seen end-on, P1). Exact for velocities that are linear on each
/// face. In 2D a side along t (with its length, fluid on the left) with end velocities u_a, u_c adds (u_a/3 + u_c/6).t
/// to node a; in 3D the integral over a triangle is a sum over the midpoints of its edges.
class BoundaryCirculation {
 public:
  /// `is_open`: per face of mesh.boundary(), whether the fluid's own velocity applies, see OpenVelocity; empty:
  /// nowhere.
  explicit BoundaryCirculation(const LocalMesh& mesh, const std::vector<char>& is_open = {},
                               const MemoryOf& = MemoryOf("boundary circulation"));

  /// Sets the boundary velocity [m/s] at each of boundary_places(); values on open faces are ignored.
  void set(std::span<const Vec3> velocity);

  /// Updates b with the fluid velocity behind open faces, at the opposite nodes.
  void update(Exchanged<Node, Vec3> behind);

  /// b, zero away from the boundary.
  const Field<Edge>& field() const { return field_; }

 private:
  /// Contribution of a boundary face to an edge: sum of u.weight over the face's sample points.
  struct Share {
    int face;  // index into mesh.boundary()
    std::array<Vec3, 3> weight;
  };

  std::size_t places_;                      // per face
  std::vector<char> is_open_;               // per boundary face
  std::vector<std::vector<Share>> shares_;  // per edge of edges_
  std::vector<int> edges_;                  // owned edges on the boundary
  DeviceArray<int> device_edges_;
  DeviceArray<real> device_values_;
  // The open faces at each of edges_: start of their range, the nodes behind them, the sums of weights.
  DeviceArray<int> open_offset_, open_behind_;
  DeviceArray<Vec3> open_weight_;
  Field<Edge> field_;
};

}  // namespace solenoid
