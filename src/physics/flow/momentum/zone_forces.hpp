/// The forces of zones that drive or brake a flow: accelerations, fans and actuator disks.
#pragma once

#include <string>
#include <vector>

#include "field/field.hpp"
#include "parallel/device_array.hpp"
#include "parallel/memory.hpp"
#include "physics/flow/zones/flow_zone.hpp"

namespace solenoid {

/// The velocity that a step expects at its end, (1 - older) now + older before.
struct ExpectedVelocity {
  const Field<Cell, Vec3>&now, &before;
  real older;
};

/// A fan or a disk in a flow.
struct ZoneDrive {
  std::string name;  ///< of the zone
  bool is_fan;
  real flow;   ///< flux along a fan [m^3/s, in 2D m^2/s]; of a disk the speed upstream along it [m/s]
  real force;  ///< a fan's pressure jump [m^2/s^2]; a disk's thrust by density [m^4/s^2, in 2D m^3/s^2]
  real power;  ///< that it gives the flow, below 0 that it takes [m^5/s^3, in 2D m^4/s^3]
};

/// Per cell of the zones: the acceleration as it is given; a fan's jump over its thickness L along it, of the flux
/// sum_c V_c u_c.d / L; a disk's thrust over the volume of its cells against the mean velocity u.d there, which is
/// (1 - a) times that upstream. Fans and disks are of the velocity that a step expects. Forces of zones that overlap
/// add up.
class ZoneForces {
 public:
  /// Refers to both, which must outlive it. `time` of the first step's beginning [s]. Collective; throws as add_to().
  ZoneForces(const LocalMesh& mesh, const std::vector<FlowZone>& zones, real time, const MemoryOf& = MemoryOf("zones"));

  /// Adds the forces on a flow of this velocity at `time` [s] to `force` [m/s^2]. Collective; throws a collective Error
  /// (exit code 2) where an acceleration leaves the plane or has no value, or a fan none for its flux.
  void add_to(Field<Cell, Vec3>& force, const ExpectedVelocity& velocity, real time);
  /// Fans and disks in a flow of this velocity, in the order of the zones. Collective; throws as add_to().
  std::vector<ZoneDrive> drives(const Field<Cell, Vec3>& velocity) const { return drives({velocity, velocity, 0}); }

 private:
  struct Part {
    const FlowZone& zone;
    std::vector<Vec3> centres;  // of its owned cells
    DeviceArray<int> cells;
    real volume = 0;  // of all ranks
    std::optional<DeviceArray<Vec3>> acceleration = {};
    real time_of_acceleration = 0;
  };

  void sample(Part& part, real time) const;
  std::vector<real> sums_along(const ExpectedVelocity& velocity) const;
  std::vector<ZoneDrive> drives(const ExpectedVelocity& velocity) const;

  const LocalMesh& mesh_;
  std::vector<Part> parts_;
};

}  // namespace solenoid
