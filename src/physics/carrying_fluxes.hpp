/// A flow as those see it that it carries along.
#pragma once

#include "operators/dual_fluxes.hpp"
#include "physics/flow_step.hpp"

namespace solenoid {

/// Its fluxes between the nodes' duals, extrapolated from its last two times to one in the step to come.
class CarryingFluxes {
 public:
  /// Both outlive the carrier. Collective.
  CarryingFluxes(const NodePairs& pairs, FlowStep& flow);

  /// (1 + e) U - e U_old, U the flow's fluxes now and U_old those a step before. Collective.
  const DualFluxes& extrapolated(real e);
  const DualFluxes& now() { return extrapolated(0); }

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

 private:
  FlowStep& flow_;
  Field<Face> now_, before_, wanted_;  // at time_ and a step before
  real time_ = 0;
  bool is_taken_ = false;
  real factor_ = 0;
  DualFluxes fluxes_;
};

}  // namespace solenoid
