/// Velocity and its gradient at a node and between nodes, and a flow that advects points by them.
#pragma once

#include <array>

#include "base/vec3.hpp"
#include "field/field.hpp"

namespace solenoid {

/// Contribution of a row of a stencil to the five numbers of a PlaneVelocity.
using PlaneShares = std::array<real, 5>;

/// Velocity at a node and its derivatives; dv/dy = -du/dx.
struct PlaneVelocity {
  PlaneShares of{};  ///< u, v [m/s], du/dx, du/dy, dv/dx [1/s]

  SOLENOID_HD Vec3 value() const { return {of[0], of[1], 0}; }
  /// (d . grad) u: the change over the distance d, by the gradient here.
  SOLENOID_HD Vec3 change(const Vec3& d) const { return {of[2] * d.x + of[3] * d.y, of[4] * d.x - of[2] * d.y, 0}; }
};

/// Velocity at a node and its derivatives along x, y and z.
struct NodeVelocity {
  Vec3 value;        ///< [m/s]
  Vec3 gradient[3];  ///< du/dx, du/dy, du/dz [1/s]

  SOLENOID_HD void add(real factor, const NodeVelocity& other) {
    value += factor * other.value;
    for (int k = 0; k < 3; ++k) gradient[k] += factor * other.gradient[k];
  }
  /// Adds an in-plane, divergence-free contribution.
  SOLENOID_HD void add(real factor, const PlaneShares& other) {
    value.x += factor * other[0];
    value.y += factor * other[1];
    gradient[0].x += factor * other[2];
    gradient[1].x += factor * other[3];
    gradient[0].y += factor * other[4];
    gradient[1].y -= factor * other[2];
  }
  PlaneShares in_plane() const { return {value.x, value.y, gradient[0].x, gradient[1].x, gradient[0].y}; }
  /// Vorticity curl u [1/s].
  SOLENOID_HD Vec3 curl() const {
    return {gradient[1].z - gradient[2].y, gradient[2].x - gradient[0].z, gradient[0].y - gradient[1].x};
  }
  /// (grad u + grad u^T) n [1/s]: times the viscosity, the traction on the side towards which the unit normal n points.
  SOLENOID_HD Vec3 strain(const Vec3& n) const {
    return n.x * gradient[0] + n.y * gradient[1] + n.z * gradient[2] +
           Vec3{dot(n, gradient[0]), dot(n, gradient[1]), dot(n, gradient[2])};
  }
};

/// Sets component 0 ... 11: value, du/dx, du/dy, du/dz.
inline void set_component(NodeVelocity& velocity, int component, real value) {
  Vec3& of = component < 3 ? velocity.value : velocity.gradient[component / 3 - 1];
  (component % 3 == 0 ? of.x : component % 3 == 1 ? of.y : of.z) = value;
}

/// Velocity at the point x of a cell with these corners: sum_i lambda_i (u_i + grad u_i (x - x_i) / 2), exact for
/// quadratic fields. `weight`: the barycentric coordinates lambda_i of x.
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

/// The velocity that advects points: at the nodes of the fluid's mesh, step by step.
class AdvectingVelocity {
 public:
  virtual ~AdvectingVelocity() = default;

  /// Velocity and gradient at the nodes at the present time; interpolate_velocity evaluates it between them.
  /// Collective.
  virtual Exchanged<Node, NodeVelocity> velocity(Field<Node, NodeVelocity>& nodes) = 0;
  /// Points that reach an open patch leave the domain; at the other patches they stay inside. Not collective.
  virtual bool is_open(int patch) const = 0;
};

}  // namespace solenoid
