/// Fluxes that advect scalars, from the flow that has them.
#pragma once

#include <optional>
#include <string>

#include "operators/dual_fluxes.hpp"
#include "physics/flow/step/flow_step.hpp"
#include "physics/scalar/fluid_part.hpp"

namespace solenoid {

/// The flow's fluxes between the nodes' duals, extrapolated from its last two times into the coming step.
class AdvectingFluxes {
 public:
  /// `fluid`: the flow's part of the mesh of `pairs`, if that mesh also has solids. All outlive the carrier. `name`: of
  /// its state. Collective.
  AdvectingFluxes(const NodePairs& pairs, FlowStep& flow, const FluidPart* fluid = nullptr,
                  std::string name = "carrier");

  /// (1 + e) U - e U_old; U: the flow's present fluxes, U_old: those of the step before. Collective.
  const DualFluxes& extrapolated(real e);
  const DualFluxes& now() { return extrapolated(0); }

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

 private:
  void set(const Field<Face>& fluxes);

  FlowStep& flow_;
  const FluidPart* fluid_;
  const std::string name_;
  Field<Face> now_, before_, wanted_;  // at time_ and a step before
  real time_ = 0;
  bool is_taken_ = false;
  real factor_ = 0;
  DualFluxes fluxes_;
  std::optional<Field<Face>> on_whole_;  // if there are solids
};

}  // namespace solenoid
