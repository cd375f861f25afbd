/// The implicit correction that an explicit eddy stress takes in long steps.
#pragma once

#include "parallel/pending.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"

namespace solenoid {

/// With nu kappa K_0 (U' - U*) BDF2 is stable for explicit stresses of half of nu_t, which doubles where the flow does,
/// if 2 nu_t - V / (3 kappa dt sum_f A/L) <= 0 in every cell; otherwise the largest of these is added to nu.
class EddyStabiliser {
 public:
  /// Refers to the mesh, which must outlive it. Collective.
  EddyStabiliser(const LocalMesh& mesh, const FaceAverageFriction& differences, const MemoryOf& = MemoryOf("eddies"));

  /// Of a flow with this viscosity of eddies [m^2/s], which must outlive it, until the next call.
  void update(const Field<Cell>& eddy_viscosity);
  /// Viscosity beyond nu in a step of dt [s], with kappa = `factor` [m^2/s]. Waits for the device. Collective.
  real viscosity(real dt, real factor);

 private:
  const LocalMesh& mesh_;
  Field<Cell> squared_width_;  // V / sum_f A/L [m^2]
  const Field<Cell>* eddy_viscosity_ = nullptr;
  Pending<Sums<1>> fastest_{Sums<1>{}};  // largest nu_t / squared width of this rank [1/s]
};

}  // namespace solenoid
