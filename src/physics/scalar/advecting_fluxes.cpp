#include "physics/scalar/advecting_fluxes.hpp"

#include <utility>

#include "field/assign.hpp"

namespace solenoid {

AdvectingFluxes::AdvectingFluxes(const NodePairs& pairs, FlowStep& flow, const FluidPart* fluid, std::string name)
    : flow_(flow),
      fluid_(fluid),
      name_(std::move(name)),
      now_(fluid ? fluid->mesh() : pairs.mesh()),
      before_(now_.mesh()),
      wanted_(now_.mesh()),
      fluxes_(pairs) {
  if (fluid) on_whole_.emplace(pairs.mesh());
}

void AdvectingFluxes::set(const Field<Face>& fluxes) {
  if (!fluid_) return fluxes_.set(fluxes);
  fluid_->spread(fluxes, *on_whole_);
  fluxes_.set(*on_whole_);
}

const DualFluxes& AdvectingFluxes::extrapolated(real e) {
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
    set(now_);
  } else {
    wanted_ = (1 + e) * now_ - e * before_;
    set(wanted_);
  }
  return fluxes_;
}

/// Only the fluxes of the step before; the present ones are in the flow's state.
void AdvectingFluxes::visit_state(StateVisitor& visitor) {
  extrapolated(0);
  visitor.field(name_ + "_before", before_);
}

/// A flow without a step before has the present fluxes as its old ones.
void AdvectingFluxes::state_restored() {
  now_.copy_from(flow_.state().flux);
  if (flow_.last_dt() == 0) before_.copy_from(now_);
  time_ = flow_.time();
  is_taken_ = true;
  factor_ = 0;
  set(now_);
}

}  // namespace solenoid
