/// Node velocities for people: a quadratic, divergence-free least-squares fit to the face fluxes around each node.
#pragma once

#include "field/field.hpp"
#include "physics/boundary_velocity.hpp"
#include "physics/face_picker.hpp"
#include "physics/wide_mesh.hpp"

namespace solenoid {

/// Velocity at a node and its derivatives along x, y and z.
struct NodeVelocity {
  Vec3 value;        ///< [m/s]
  Vec3 gradient[3];  ///< du/dx, du/dy, du/dz [1/s]

  /// Vorticity curl u [1/s].
  SOLENOID_HD Vec3 curl() const {
    return {gradient[1].z - gradient[2].y, gradient[2].x - gradient[0].z, gradient[0].y - gradient[1].x};
  }
  /// (grad u + grad u^T) n [1/s]: times the viscosity the traction on the side that the unit normal n looks to.
  SOLENOID_HD Vec3 strain(const Vec3& n) const {
    return n.x * gradient[0] + n.y * gradient[1] + n.z * gradient[2] +
           Vec3{dot(n, gradient[0]), dot(n, gradient[1]), dot(n, gradient[2])};
  }
};

/// Fits at each node the nine-parameter quadratic velocity u = curl psi, psi a cubic, so that div u = 0 identically, to
/// the face averages U_f / A_f of the cells around the node and to the tangential velocity of walls and inlets (2D).
class VelocityFit {
 public:
  /// `wide` is of `mesh`; both must outlive the fit. Collective.
  VelocityFit(const LocalMesh& mesh, const WideMesh& wide, FlowBoundaries boundaries);
  ~VelocityFit();

  /// Node velocities from the fluxes; nodes on walls and inlets take the velocity given there. Collective.
  Exchanged<Node, NodeVelocity> fit(const Field<Face>& flux, real time, Field<Node, NodeVelocity>& nodes);

 private:
  friend class NodeFit;
  struct System;
  /// A face, and what leads from where it lies to where it is seen: beyond a periodic pair, else 0 [m].
  struct SeenFace {
    int face;
    Vec3 shift;
  };
  class Surroundings;
  System set_up(int node, Surroundings& around) const;
  std::vector<System> set_up(const std::vector<int>& nodes) const;
  static std::vector<int> faces_of(const std::vector<System>& systems);
  NodeVelocity solve(const System& system, const real* flux, real time) const;
  /// The velocity that the fluid sticks to on a face of wide_; none inside, on outlets and where it slips.
  const Given<Vec3>* velocity_on(int face) const;

  const LocalMesh& mesh_;
  FlowBoundaries boundaries_;
  const WideMesh& wide_;
  Field<Face> wide_flux_;
};

/// The fit at a few nodes, set up once: the same numbers bit by bit at the cost of those nodes. For probes, which ask
/// at every step.
class NodeFit {
 public:
  /// `nodes`: local nodes of owned cells of the fit's mesh. Refers to `fit`, which must outlive it. Collective.
  NodeFit(VelocityFit& fit, const std::vector<int>& nodes);
  ~NodeFit();

  /// Velocities at those nodes, in their order. Collective.
  std::vector<NodeVelocity> fit(const Field<Face>& flux, real time);

 private:
  VelocityFit& fit_;
  std::vector<VelocityFit::System> systems_;
  FacePicker picker_;  // the faces of one system after the other
};

/// Velocity at the point x of a cell with these corners: sum_i lambda_i (u_i + grad u_i (x - x_i) / 2), exact for
/// quadratics. `weight`: the barycentric coordinates lambda_i of x.
SOLENOID_HD inline Vec3 interpolate_velocity(int corners, const Vec3* position, const NodeVelocity* node,
                                             const real* weight, const Vec3& x) {
  Vec3 sum;
  for (int i = 0; i < corners; ++i) {
    const Vec3 d = x - position[i];
    sum += weight[i] *
           (node[i].value + (d.x * node[i].gradient[0] + d.y * node[i].gradient[1] + d.z * node[i].gradient[2]) / 2);
  }
  return sum;
}

}  // namespace solenoid
