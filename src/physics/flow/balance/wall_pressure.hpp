/// Pressure at walls from that in cells: velocity and momentum on the way to the wall.
#pragma once

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/momentum/variable_viscosity.hpp"
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"

namespace solenoid {

class WallPressure {
 public:
  /// Refers to `mesh`, which must outlive it.
  explicit WallPressure(const LocalMesh& mesh);

  /// The fitted velocity at the centre of each owned cell [m/s]; see interpolate_velocity.
  void velocity_at_centres(Exchanged<Node, NodeVelocity> velocities, Field<Cell, Vec3>& velocity) const;

  /// p_w = p_c less the line integral of du/dt + convection + friction from the cell's centre x_c to the wall's x_f
  /// [m^2/s^2]. `inertia`: the integrals without friction along the duals. The friction is nu curl omega . (x_f - x_c)
  /// with the vorticity of the fit, linear in between, since the lumped one is inaccurate at the wall; of a viscosity
  /// that varies that of the stress nu (grad u + grad u^T) of the fit, linear in between.
  void compute(const Field<Cell>& pressure, const Field<Face>& inertia, Exchanged<Node, NodeVelocity> velocities,
               const NodeViscosity& viscosity, BoundaryField<real>& of_walls) const;

  /// Only between walls. Adds |u|^2/2 of the cell less that of the wall, from the total pressure of the rotational form
  /// to the pressure. Collective; throws a collective Error if a wall's velocity is not finite.
  void add_kinetic_part(const Field<Cell, Vec3>& velocity, const FlowBoundaries& boundaries, real time,
                        BoundaryField<real>& of_walls) const;
  /// Only between walls. Subtracts |u|^2/2 of the wall. Collective; throws likewise.
  void subtract_kinetic_part(const FlowBoundaries& boundaries, real time, BoundaryField<real>& of_walls) const;

 private:
  DeviceArray<real> squared_speeds(const FlowBoundaries& boundaries, real time) const;

  const LocalMesh& mesh_;
  DeviceArray<Vec3> points_, arms_;  // of the mesh; of owned boundary faces: x_f - x_c
};

}  // namespace solenoid
