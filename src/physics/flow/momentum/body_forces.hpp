/// Forces in the volume of a fluid: the user's body force, and buoyancy.
#pragma once

#include <optional>

#include "model/coefficient.hpp"
#include "physics/flow/momentum/buoyancy.hpp"

namespace solenoid {

class BodyForces {
 public:
  /// None. Refers to `mesh`, which must outlive it.
  explicit BodyForces(const LocalMesh& mesh) : mesh_(mesh) {}

  /// Sets the force by mass [m/s^2], evaluated at cell centres from `time` on. Collective; throws a collective Error
  /// where it leaves the plane or has no value.
  void set(Coefficient<Vec3> force, real time);
  /// Sets the buoyancy, which outlives this.
  void set(const Buoyancy& buoyancy) { buoyancy_ = &buoyancy; }

  bool has_force() const { return force_.has_value(); }
  /// The body force [m/s^2], if there is one.
  const Field<Cell, Vec3>* force() const { return values_ ? &*values_ : nullptr; }
  const Buoyancy* buoyancy() const { return buoyancy_; }

  /// Subtracts the body force at `time`, if there is one. Collective.
  void subtract_from(Field<Cell, Vec3>& forcing, real time);
  /// Subtracts the line integrals of buoyancy along the duals, if there is one.
  void subtract_buoyancy_from(Field<Face>& along_duals) const;

  /// Square root of the kinetic energy that these forces would give a fluid at rest in a second without any pressure
  /// [sqrt(m^5/s^2), in 2D sqrt(m^4/s^2)]. Collective.
  real root_energy() const;

 private:
  void sample(real time);

  const LocalMesh& mesh_;
  std::optional<Coefficient<Vec3>> force_;
  std::optional<Field<Cell, Vec3>> values_;  // at time_
  real time_ = 0;
  const Buoyancy* buoyancy_ = nullptr;
};

}  // namespace solenoid
