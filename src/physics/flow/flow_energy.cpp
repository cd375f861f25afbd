/// Sources and sinks of a flow's energy: checked during the run, reported at its end.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/frame.hpp"
#include "physics/flow/flow_model.hpp"
#include "physics/flow/momentum/diagnostics.hpp"

namespace solenoid {

/// Sources in the last step.
EnergySources FlowModel::energy_sources() {
  real speed = flow_->boundary_speed();
  real force = 0;
  for (std::size_t k = 0; k < setup_.periodic.size(); ++k) {
    const PairDrive& drive = setup_.periodic[k].drive;
    if (drive.flux) speed = std::max(speed, std::abs(through_pairs_[k]) / norm(areas_of_pairs_[k]));
    const real drop = drive.drop ? drive.drop->at(Vec3{}, flow_->time()) : 0;
    force += std::abs(drop) / norm(mesh_.part().pairs[k].translation);
  }
  const real of_fluid = std::sqrt(volume_ / 2);
  const real pressure = flow_->boundary_pressure() + flow_->outlets().largest_stored();
  return {of_fluid * (speed + std::sqrt(2 * pressure)), of_fluid * force + flow_->forces().root_energy()};
}

constexpr real courant_limit = 1.2;  // of explicit convection, docs/numerics.md

/// The Courant number per second of the fluxes as zones see them [1/s]. Collective.
real FlowModel::rate_of_fluxes() {
  RotatingZones* const rotating = flow_->rotating_zones();
  return rotating ? rotating->courant_rate(flow_->state().flux) : courant_rate(flow_->state().flux);
}

/// Where that is largest. Collective.
Vec3 FlowModel::fastest_place() {
  RotatingZones* const rotating = flow_->rotating_zones();
  return rotating ? rotating->fastest_place(flow_->state().flux) : solenoid::fastest_place(flow_->state().flux);
}

/// Notes a step beyond the limit: where energy comes from, though it may take hundreds of steps to show. Collective.
void FlowModel::note_courant() {
  if (cfl_ <= courant_limit || flow_->settings().convection == ConvectionForm::none) return;
  if (fast_steps_.count++ == 0) {
    fast_steps_.since = flow_->time();
    fast_steps_.place = fastest_place();
  }
  fast_steps_.largest = std::max(fast_steps_.largest, cfl_);
}

/// Where the Courant number is largest, and since when it is beyond the limit. Collective.
std::string FlowModel::fastest() {
  const real courant = flow_->last_dt() * rate_of_fluxes();
  if (!(courant > 0)) return "";
  const Vec3 place = fastest_place();
  std::string text = message("; the Courant number was largest, {:.3g}, in the cell at {}", courant,
                             text_of_place(place, mesh_.dimension()));
  if (fast_steps_.count > 0) {
    text += message(", and is above {} since t = {:.6g} s, first in the cell at {}", courant_limit, fast_steps_.since,
                    text_of_place(fast_steps_.place, mesh_.dimension()));
  }
  return text;
}

void FlowModel::tell_courant(ModelOutcome& outcome) const {
  if (fast_steps_.count == 0) return;
  outcome.warnings.push_back(message(
      "the Courant number was up to {:.3g}, and above {} in {} steps from t = {:.6g} s on, first in the cell at {}: a "
      "flow may gain energy in such steps; take smaller ones (cfl or step in [time])",
      fast_steps_.largest, courant_limit, fast_steps_.count, fast_steps_.since,
      text_of_place(fast_steps_.place, mesh_.dimension())));
}

/// Reverts the last step and throws a collective Error (exit code 1).
void FlowModel::stop_diverged(const std::string& fault) {
  const real time = flow_->time();
  revert_step();
  throw Error(ExitCode::failure,
              message("at t = {:.6g} s {}: the flow has diverged; take a smaller time step{}", time, fault, fastest()),
              true);
}

/// Adds the energy budget, if the pressure has been computed for the present step.
void FlowModel::tell_energy(ModelOutcome& outcome) {
  if (step_of_pressure_ != step_ || flow_->last_dt() == 0) return;
  const EnergyBudget budget = flow_->balance().energy_budget();
  std::vector<std::pair<std::string, double>> figures{{"kinetic", kinetic_energy_},
                                                      {"change", budget.change},
                                                      {"pressure", budget.pressure},
                                                      {"inflow", budget.inflow},
                                                      {"force", budget.force},
                                                      {"boundary_friction", budget.boundary_friction},
                                                      {"dissipation", budget.dissipation},
                                                      {"numerical", budget.numerical}};
  if (setup_.settings.frame) figures.push_back({"frame", budget.frame});
  if (setup_.settings.eddies) figures.push_back({"model", budget.model});
  if (flow_->wall_stress().is_there()) figures.push_back({"walls", budget.walls});
  if (setup_.settings.has_porous_zone()) figures.push_back({"zones", budget.zones});
  const std::string unit = unit_of_power(mesh_.dimension());
  std::string by_mesh;
  const real powers = std::abs(budget.change) + std::abs(budget.pressure) + std::abs(budget.inflow) +
                      std::abs(budget.force) + std::abs(budget.frame) + std::abs(budget.boundary_friction) +
                      std::abs(budget.zones) + std::abs(budget.numerical);
  constexpr real nothing = 1e-6;
  if (const real taken = budget.dissipation + budget.model + budget.walls; taken > nothing * powers) {
    const real share = budget.numerical / taken;
    figures.push_back({"numerical_part", share});
    by_mesh = message("{:.2g} % of that", std::abs(share) > nothing ? 100 * share : 0);
  } else {
    by_mesh = message("{:.4g} {}", std::abs(budget.numerical) > nothing * powers ? budget.numerical : 0, unit);
  }
  if (powers > 0) {
    const std::string by_model = setup_.settings.eddies ? message(", the model {:.4g} {}", budget.model, unit) : "";
    const std::string by_walls =
        flow_->wall_stress().is_there() ? message(", walls {:.4g} {}", budget.walls, unit) : "";
    const std::string by_zones =
        setup_.settings.has_porous_zone() ? message(", the zones {:.4g} {}", budget.zones, unit) : "";
    outcome.lines.push_back(message("  energy   {:.6g} {}; friction takes {:.4g} {}{}{}, the mesh {}{}",
                                    kinetic_energy_, unit_of_energy(mesh_.dimension()), budget.dissipation, unit,
                                    by_walls, by_model, by_mesh, by_zones));
  }
  for (const auto& [name, value] : figures) outcome.figures.push_back({"energy_budget", name, value});
}

}  // namespace solenoid
