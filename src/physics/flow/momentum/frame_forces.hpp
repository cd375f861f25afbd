/// The forces of a frame that turns: the Coriolis force, and the potential of the centrifugal one.
#pragma once

#include "field/boundary_field.hpp"
#include "model/time_scheme.hpp"
#include "physics/flow/boundary/closed_parts.hpp"
#include "physics/flow/boundary/rotating_frame.hpp"

namespace solenoid {

/// 2 Omega x u in cells, at right angles to the cell's velocity, so that it has no power; in a step of the velocity
/// extrapolated to its end. In 2D its integrals along the duals are differences of 2 Omega times the stream function:
/// a part of the pressure. The centrifugal force is a gradient: steps know the reduced pressure, p - |Omega x r|^2 / 2.
class FrameForces {
 public:
  /// Refers to the mesh, which must outlive it. `closed`: where the volume mean of pressures is zero. Collective.
  FrameForces(const LocalMesh& mesh, const RotatingFrame& frame, const ClosedParts& closed,
              const MemoryOf& = MemoryOf("frame"));

  /// The Coriolis force of a step from this flow and the one where the history begins.
  void extrapolate(const TimeCoefficients& scheme, const Field<Cell, Vec3>& velocity,
                   const Field<Cell, Vec3>& velocity_old);
  /// That of a flow as it is.
  void set(const Field<Cell, Vec3>& velocity) { extrapolate({}, velocity, velocity); }
  /// Adds what it takes of the cells' momentum, 2 Omega x u [m/s^2].
  void add_to(Field<Cell, Vec3>& forcing) const;
  /// sum_c V_c u_c . (2 Omega x u*)_c, u* the velocity of the last set() or extrapolate() [m^5/s^3, in 2D m^4/s^3]: 0
  /// to round-off for u = u*. Collective.
  real power(const Field<Cell, Vec3>& velocity) const;

  /// Adds the centrifugal potential to a reduced pressure in cells; where that has the volume mean zero so has the sum.
  void add_potential(Field<Cell>& pressure) const;
  /// The same at the centres of boundary faces.
  void add_potential(BoundaryField<real>& pressure) const;
  /// The same as the mean over each face: its integral over the boundary of any cells is the centrifugal force on them.
  void add_mean_potential(BoundaryField<real>& pressure) const;
  BoundaryField<real>& potential_at_faces() { return at_faces_; }  ///< of add_potential() there

 private:
  Vec3 twice_rate_;             // 2 Omega
  Field<Cell, Vec3> coriolis_;  // 2 Omega x u*
  Field<Cell> potential_;
  BoundaryField<real> at_faces_, over_faces_;
};

}  // namespace solenoid
