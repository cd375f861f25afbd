/// The exact step's memory and its state.
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "physics/flow/step/exact_step.hpp"

namespace solenoid {

void ExactStep::build_systems() {
  FlowStep::build_systems();
  implicit_.reserve();
}

void ExactStep::visit_state(StateVisitor& visitor) {
  FlowStep::visit_state(visitor);
  space_.visit_state(visitor);
  if (adds_circulations()) {
    const bool has_now = visitor.field("circulation", circulation_now_.around_edges);
    has_circulations_ = visitor.field("circulation_old", circulation_old_.around_edges) && has_now;
    real summed = circulation_now_.summed.over(mesh_.comm());
    visitor.number("circulation_summed", summed);
    circulation_now_.summed = summed;
    visitor.number("circulation_scale", circulation_scale_);
  }
  if (boundary_potential_) has_boundary_potential_ = visitor.field("boundary_potential", *boundary_potential_);
  implicit_.visit_state(visitor);
  response_.visit_state(visitor);
}

void ExactStep::state_restored() {
  response_.state_restored();
  if (drag_) drag_->state_restored(friction_.relative_viscosity());
  if (potential_drag_) potential_drag_->state_restored();
  implicit_.state_restored();
  along_duals_.copy_from(state_.flux);
  round_to_grid(space_.largest(), along_duals_);
  if (max_magnitude(mesh_, along_duals_ - state_.flux) > 0) space_.forget_grid();
  is_circulation_known_ = has_circulations_;
  if (!has_circulations_) {
    interpolate(halo(flux_old_), cells_);
    circulate(cells_, circulation_old_);
  }
  const bool has_boundary_potential = has_boundary_potential_;
  go_on(true);
  if (!has_boundary_potential) set_boundary_potential();
}

}  // namespace solenoid
