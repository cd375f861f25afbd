/// The classical step's memory and its state.
#include "physics/flow/step/classical_step.hpp"

namespace solenoid {

namespace {

/// As StateVisitor::field.
bool visit(const std::string& name, DroppingPressure& pressure, const OutletPressures& outlets, StateVisitor& visitor) {
  const bool is_there = visitor.field(name, pressure.values);
  for (std::size_t k = 0; k < pressure.drops.size(); ++k) {
    visitor.number(name + "_drop_" + std::to_string(k), pressure.drops[k]);
  }
  const std::vector<std::string>& patches = pressure.values.mesh().part().patches;
  for (std::size_t k = 0; k < pressure.outlets.size(); ++k) {
    visitor.number(name + "_outlet_" + patches[outlets.patches()[k]], pressure.outlets[k]);
  }
  return is_there;
}

}  // namespace

void ClassicalStep::build_systems() {
  FlowStep::build_systems();
  implicit_.reserve(settings_.momentum);
  if (!outlets_.empty()) balance_.driving_pressures();
  if (slowed_) slowed_->system().reserve();
}

void ClassicalStep::visit_state(StateVisitor& visitor) {
  FlowStep::visit_state(visitor);
  has_pressure_ = visit("step_pressure", step_pressure_, outlets_, visitor);
  visitor.number("usual_surprise", usual_surprise_);
  for (std::size_t pass = 0; pass < corrections_.size(); ++pass) {
    visit("pressure_correction_" + std::to_string(pass), corrections_[pass], outlets_, visitor);
  }
  implicit_.visit_state(visitor);
  if (slowed_) slowed_->visit_state(visitor);
}

void ClassicalStep::state_restored() {
  if (drag_) drag_->state_restored(friction_.relative_viscosity());
  if (slowed_) slowed_->state_restored();
  implicit_.state_restored();
  go_on(has_pressure_);
}

}  // namespace solenoid
