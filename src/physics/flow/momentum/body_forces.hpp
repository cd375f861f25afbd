/// Forces in the volume of a fluid: the user's body force, those of zones, and buoyancy.
#pragma once

#include <optional>

#include "model/coefficient.hpp"
#include "physics/flow/momentum/buoyancy.hpp"
#include "physics/flow/momentum/zone_forces.hpp"

namespace solenoid {

class BodyForces {
 public:
  /// Those of zones, see ZoneForces. Refers to both, which must outlive it. Collective; throws as that does.
  BodyForces(const LocalMesh& mesh, const std::vector<FlowZone>& zones, real time);

  /// Sets the force by mass [m/s^2], evaluated at cell centres from `time` on. Collective; throws a collective Error
  /// where it leaves the plane or has no value.
  void set(Coefficient<Vec3> force, real time);
  /// Sets the buoyancy, which outlives this.
  void set(const Buoyancy& buoyancy) { buoyancy_ = &buoyancy; }

  bool has_force() const { return force_ || zones_; }
  /// Body force and forces of zones that were subtracted last [m/s^2], if there are any.
  const Field<Cell, Vec3>* force() const { return values_ ? &*values_ : nullptr; }
  const Buoyancy* buoyancy() const { return buoyancy_; }
  const ZoneForces* zones() const { return zones_ ? &*zones_ : nullptr; }

  /// Subtracts body force and forces of zones at `time` on a flow of this velocity, if there are any. Collective;
  /// throws as set() and ZoneForces.
  void subtract_from(Field<Cell, Vec3>& forcing, const ExpectedVelocity& velocity, real time);
  /// Subtracts the line integrals of buoyancy along the duals, if there is one.
  void subtract_buoyancy_from(Field<Face>& along_duals) const;

  /// Square root of the kinetic energy that these forces would give a fluid at rest in a second without any pressure
  /// [sqrt(m^5/s^2), in 2D sqrt(m^4/s^2)]. Collective.
  real root_energy() const;

 private:
  void sample(real time);

  const LocalMesh& mesh_;
  std::optional<Coefficient<Vec3>> force_;
  std::optional<Field<Cell, Vec3>> given_;  // the body force at time_
  real time_ = 0;
  std::optional<ZoneForces> zones_;
  std::optional<Field<Cell, Vec3>> values_;  // of both
  const Buoyancy* buoyancy_ = nullptr;
};

}  // namespace solenoid
