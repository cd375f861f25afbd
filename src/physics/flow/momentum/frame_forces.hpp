/// The forces of a frame that turns: the Coriolis force, and the potential of the centrifugal one.
#pragma once

#include "model/time_scheme.hpp"
#include "physics/flow/momentum/frame_potential.hpp"
#include "physics/flow/zones/rotating_frame.hpp"

namespace solenoid {

/// 2 Omega x u in cells, at right angles to the cell's velocity, so that it has no power; in a step of the velocity
/// extrapolated to its end. In 2D its integrals along the duals are differences of 2 Omega times the stream function:
/// a part of the pressure. The centrifugal force is a gradient: steps know the reduced pressure, p - |Omega x r|^2 / 2.
class FrameForces {
 public:
  /// Refers to the mesh, which must outlive it. `closed`: where the volume mean of pressures is zero. Collective.
  FrameForces(const LocalMesh& mesh, const RotatingFrame& frame, const ClosedParts& closed,
              const MemoryOf& = MemoryOf("frame"));

  /// The Coriolis force of a step from this flow, the one where the history begins, and the one a step before.
  void extrapolate(const Extrapolation& expected, const Field<Cell, Vec3>& velocity,
                   const Field<Cell, Vec3>& velocity_old, const Field<Cell, Vec3>& velocity_older);
  /// That of a flow as it is.
  void set(const Field<Cell, Vec3>& velocity) { extrapolate({}, velocity, velocity, velocity); }
  /// Adds what it takes of the cells' momentum, 2 Omega x u [m/s^2].
  void add_to(Field<Cell, Vec3>& forcing) const;
  /// sum_c V_c u_c . (2 Omega x u*)_c, u* the velocity of the last set() or extrapolate() [m^5/s^3, in 2D m^4/s^3]: 0
  /// to round-off for u = u*. Collective.
  real power(const Field<Cell, Vec3>& velocity) const;

  FramePotential& potential() { return potential_; }  ///< of the centrifugal force

 private:
  Vec3 twice_rate_;             // 2 Omega
  Field<Cell, Vec3> coriolis_;  // 2 Omega x u*
  FramePotential potential_;
};

}  // namespace solenoid
