/// Walls that are not resolved: the steps that their stress allows, and their distances in units of the wall.
#include <algorithm>

#include "base/error.hpp"
#include "physics/flow/flow_model.hpp"

namespace solenoid {

/// As a Courant number per second, 0 without such walls. Collective.
real FlowModel::rate_of_walls() const {
  return flow_->wall_stress().is_there() ? flow_->wall_stress().rate(flow_->state().velocity) : 0;
}

/// After a step. Collective.
void FlowModel::note_walls() {
  if (!flow_->wall_stress().is_there()) return;
  constexpr real stable = real{4} / 3;
  walls_.largest_ratio = std::max(walls_.largest_ratio, flow_->last_dt() * walls_.rate / stable);
  walls_.power = flow_->power_of_walls();
  walls_.rate = rate_of_walls();
  rate_ = std::max(rate_, walls_.rate);
}

void FlowModel::tell_walls(ModelOutcome& outcome) const {
  if (!flow_->wall_stress().is_there()) return;
  const WallStress::Distances y = flow_->wall_stress().in_wall_units(flow_->state().velocity);
  outcome.figures.push_back({"log_law", "y_plus_min", y.least});
  outcome.figures.push_back({"log_law", "y_plus_mean", y.mean});
  outcome.figures.push_back({"log_law", "y_plus_max", y.largest});
  outcome.lines.push_back(message("  log law  y+ of the cells at its walls {:.4g} on average, {:.4g} to {:.4g}", y.mean,
                                  y.least, y.largest));
  constexpr real of_log_layer = 30;
  if (y.mean < of_log_layer) {
    outcome.warnings.push_back(
        message("y+ of the cells at walls with a log law is {:.3g} on average, below {}: the law goes over into the "
                "sublayer there and stays right, but a wall that sticks (`wall = \"no-slip\"`) needs no law then",
                y.mean, of_log_layer));
  }
  if (walls_.largest_ratio > 1) {
    outcome.warnings.push_back(
        message("steps were up to {:.3g} times as long as the stress of walls with a log law allows: it may "
                "oscillate; take smaller ones (cfl or step in [time])",
                walls_.largest_ratio));
  }
}

}  // namespace solenoid
