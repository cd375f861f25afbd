#include "physics/carrying_fluxes.hpp"

#include <utility>

#include "field/assign.hpp"

namespace solenoid {

CarryingFluxes::CarryingFluxes(const NodePairs& pairs, FlowStep& flow)
    : flow_(flow), now_(pairs.mesh()), before_(pairs.mesh()), wanted_(pairs.mesh()), fluxes_(pairs) {}

const DualFluxes& CarryingFluxes::extrapolated(real e) {
  const bool is_known = is_taken_ && flow_.time() == time_;
  if (is_known && e == factor_) return fluxes_;
  if (!is_known) {
    std::swap(now_, before_);
    now_.copy_from(flow_.state().flux);
    time_ = flow_.time();
    is_taken_ = true;
  }
  factor_ = e;
  if (e == 0) {
    fluxes_.take(now_);
  } else {
    wanted_ = (1 + e) * now_ - e * before_;
    fluxes_.take(wanted_);
  }
  return fluxes_;
}

/// The fluxes of a step before; the flow knows those of now.
void CarryingFluxes::visit_state(StateVisitor& visitor) {
  extrapolated(0);
  visitor.field("carrier_before", before_);
}

void CarryingFluxes::state_restored() {
  now_.copy_from(flow_.state().flux);
  time_ = flow_.time();
  is_taken_ = true;
  factor_ = 0;
  fluxes_.take(now_);
}

}  // namespace solenoid
