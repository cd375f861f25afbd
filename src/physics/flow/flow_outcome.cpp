/// Report of a flow at the end of a run, and its state for restarts.
#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "model/frame.hpp"
#include "physics/flow/flow_model.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

/// The second patch of each periodic pair, through which fluid leaves in the pair's direction.
std::vector<std::string> FlowModel::names_behind_pairs() const {
  std::vector<std::string> names;
  for (const PeriodicPair& pair : mesh_.part().pairs) names.push_back(pair.second);
  return names;
}

void FlowModel::tell_pairs(ModelOutcome& outcome) const {
  std::vector<std::string> texts;
  const std::vector<std::string> names = names_behind_pairs();
  for (std::size_t k = 0; k < pressure_drops_.size(); ++k) {
    outcome.figures.push_back({"flow_rate", names[k], through_pairs_[k]});
    outcome.figures.push_back({"pressure_drop", names[k], pressure_drops_[k]});
    texts.push_back(message("{} -> {} {:.6g} {}, the pressure drops by {:.6g} m^2/s^2", mesh_.part().pairs[k].first,
                            names[k], through_pairs_[k], unit_of_flux(mesh_.dimension()), pressure_drops_[k]));
  }
  if (!texts.empty()) outcome.lines.push_back(message("  pairs    {}", joined(texts, "; ")));
}

std::vector<std::string> FlowModel::remarks() const {
  std::vector<std::string> remarks;
  constexpr real usual = 2.5;  // layers of flat cells stay below it, too
  if (const auto factor = flow_->friction().implicit_factor(); factor && *factor > usual) {
    remarks.push_back(message("friction: of cells this uneven the implicit part is taken {:.4g} times", *factor));
  }
  const auto loops = flow_->loops();
  if (!loops) return remarks;
  if (loops->empty()) {
    remarks.push_back("exact: runs; no loops of the flow");
    return remarks;
  }
  std::vector<std::string> around;
  for (const std::string& patch : *loops) {
    if (!patch.empty()) around.push_back("`" + patch + "`");
  }
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  remarks.push_back(message("exact: runs; {} loop{} of the flow{}", loops->size(), loops->size() == 1 ? "" : "s",
                            around.empty() ? "" : ", fastest along " + joined(around, ", ")));
  return remarks;
}

std::vector<std::string> FlowModel::origin() const {
  if (!setup_.earlier) return {};
  const EarlierFields& fields = *setup_.earlier->fields;
  double time = 0;
  std::vector<std::string> remarks;
  real farthest = 0;
  PartialSum outside;
  mesh_.comm().guard([&] {
    time = fields.time();
    remarks = fields.remarks();
    const auto centres = std::span(mesh_.geometry().cell_centre).first(mesh_.owned<Cell>());
    const std::vector<real> distance = setup_.earlier->distance.at(centres, 0);
    for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
      const real volume = mesh_.geometry().cell_volume[c];
      constexpr real round_off = by_precision(1e-9, 1e-4);  // of the length of a cell
      if (distance[c] <= round_off * std::pow(volume, real{1} / mesh_.dimension())) continue;
      outside += volume;
      farthest = std::max(farthest, distance[c]);
    }
  });
  farthest = mesh_.comm().max(farthest);
  const real share = total(mesh_.comm(), outside) / volume_;
  std::vector<std::string> lines{message("  start    velocity of {}, t = {:.6g} s", fields.name(), time)};
  for (const std::string& remark : remarks) lines.push_back("  start    " + remark);
  if (farthest > 0) {
    lines.push_back(
        message("  start    {:.3g} % of the volume lie outside the mesh of {}, up to {:.3g} m, and take the "
                "nearest values",
                100 * share, fields.name(), farthest));
  }
  return lines;
}

ModelOutcome FlowModel::outcome() {
  ModelOutcome outcome{message(", largest max|div U| {:.2g}", largest_divergence_),
                       {},
                       {},
                       {{"divergence", "max", largest_divergence_}}};
  if (const auto factor = flow_->friction().implicit_factor()) {
    outcome.figures.push_back({"friction", "implicit_factor", *factor});
    outcome.figures.push_back({"friction", "all_implicit", std::int64_t{flow_->friction().is_whole_implicit()}});
  }
  if (const auto loops = flow_->loops()) {
    outcome.figures.push_back({"topology", "loops", static_cast<std::int64_t>(loops->size())});
  }
  const std::vector<std::string> names = names_of_openings();
  std::vector<std::string> rates, means, backflows, outflows;
  for (std::size_t k = 0; k < names.size(); ++k) {
    rates.push_back(message("{} {:.6g}", names[k], through_openings_[k].rate()));
    outcome.figures.push_back({"flow_rate", names[k], through_openings_[k].rate()});
  }
  for (std::size_t k = 0; k < pressures_.size(); ++k) {
    means.push_back(message("{} {:.6g}", names[k], pressures_[k]));
    outcome.figures.push_back({"pressure", names[k], pressures_[k]});
  }
  constexpr real noteworthy = 0.01;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string share = message("{} {:.1f} %", names[k], 100 * largest_backflow_[k]);
    if (is_outlet(k)) {
      outcome.figures.push_back({"backflow", names[k], largest_backflow_[k]});
      if (largest_backflow_[k] > noteworthy) backflows.push_back(share);
    } else if (setup_.is_inlet(names[k]) && largest_backflow_[k] > 0) {
      outcome.figures.push_back({"outflow", names[k], largest_backflow_[k]});
      outflows.push_back(share);
    }
  }
  if (!rates.empty())
    outcome.lines.push_back(
        message("  flow     out of the domain [{}]: {}", unit_of_flux(mesh_.dimension()), joined(rates, ", ")));
  if (setup_.settings.scales_inlets) {
    outcome.figures.push_back({"balance", "inlets", flow_->boundaries().inlet_factor()});
    outcome.lines.push_back(
        message("           inflow scaled by {:.6g} to match the outflow", flow_->boundaries().inlet_factor()));
  }
  if (!means.empty()) outcome.lines.push_back(message("           pressure, mean [m^2/s^2]: {}", joined(means, ", ")));
  tell_pairs(outcome);
  tell_energy(outcome);
  tell_courant(outcome);
  tell_walls(outcome);
  tell_frame(outcome);
  tell_zones(outcome);
  if (!backflows.empty()) {
    outcome.lines.push_back(
        message("           largest backflow through outlets, relative to the flow: {}", joined(backflows, ", ")));
  }
  if (!outflows.empty()) {
    outcome.lines.push_back(
        message("           largest outflow through inlets, relative to the flow: {}", joined(outflows, ", ")));
  }
  return outcome;
}

void FlowModel::visit_state(StateVisitor& visitor) {
  flow_->visit_state(visitor);
  visitor.number("courant_rate", rate_);
  visitor.number("courant_rate_of_flow", rate_of_flow_);
  visitor.number("longest_step", growth_.longest);
  visitor.number("largest_divergence", largest_divergence_);
  energy_.visit_state(visitor);
  const std::vector<std::string> names = names_of_openings();
  for (std::size_t k = 0; k < names.size(); ++k) visitor.number("largest_backflow_" + names[k], largest_backflow_[k]);
}

void FlowModel::state_restored() {
  flow_->state_restored();
  if (!energy_.has_begun()) energy_.begin(kinetic_energy(flow_->state().velocity));
  initial_flux_.reset();
  if (flow_->last_dt() == 0) compute_first_rate();
  step_of_nodes_ = step_of_pressure_ = -1;
}

}  // namespace solenoid
