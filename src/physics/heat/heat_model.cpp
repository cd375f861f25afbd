#include "physics/heat/heat_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace solenoid {

HeatModel::HeatModel(const HeatSetup& setup, const LocalMesh& mesh, const MemoryOf& /*scope*/)
    : setup_(setup),
      mesh_(mesh),
      heat_(mesh, setup.problem(mesh.part().regions, mesh.part().patches), setup.solver_settings(), 0) {
  if (setup.time) heat_.set_temperature(setup.initial_temperature);
}

real HeatModel::next_step(real target) const {
  return solenoid::next_step(setup_.time->step, 0, heat_.last_dt(), heat_.time(), target);
}

SolveReport HeatModel::solve_steady() {
  heat_.solve_steady();
  return heat_.solves().last("heat");
}

void HeatModel::diagnose() {
  range_ = heat_.range();
  balance_ = heat_.balance();
}

std::string HeatModel::progress() const {
  return message("T {:.6g} to {:.6g} K  {} it", range_.low, range_.high, solves().last("heat").iterations);
}

std::vector<HistoryColumn> HeatModel::history() {
  std::vector<HistoryColumn> columns{{"temperature_min", "K", [this] { return range_.low; }},
                                     {"temperature_max", "K", [this] { return range_.high; }}};
  add_balance_columns(columns, balance_, "heat", unit_of_heat(), mesh_.part().patches);
  add_solver_columns(columns, solves(), "heat");
  return columns;
}

ModelOutcome HeatModel::outcome() {
  const HeatBalance& heat = balance_;
  const MaximumPrinciple bounds = heat_.maximum_principle();
  const std::string watts = unit_of_heat();
  const std::vector<std::string>& patches = mesh_.part().patches;

  ModelOutcome outcome;
  for (std::size_t p = 0; p < heat.through.size(); ++p) {
    outcome.figures.push_back({"heat", patches[p], heat.through[p]});
  }
  const bool is_even =
      bounds.highest - bounds.lowest <= 1e-12 * std::max(std::abs(bounds.highest), std::abs(bounds.lowest));
  const bool flows_none = is_even && heat.source == 0;  // except for round-off
  const real part = heat.supplied() > 0 && !flows_none ? std::abs(heat.imbalance()) / heat.supplied() : 0;
  outcome.lines = {
      message("  heat     into the body [{}]: {}", watts, heat.in_words(patches, !setup_.time)),
      message("           balance open by {:.1e} {}, {:.1e} of the supplied power", heat.imbalance(), watts, part),
      message("  range    {:.9g} to {:.9g} K", bounds.lowest, bounds.highest)};
  if (bounds.nodes_beyond > 0) {
    outcome.warnings.push_back(beyond_bounds_text(bounds, setup_.time && setup_.time->scheme != TimeScheme::euler));
  }
  outcome.figures.push_back({"heat_balance", "supplied", heat.supplied()});
  outcome.figures.push_back({"heat_balance", "source", heat.source});
  outcome.figures.push_back({"heat_balance", "stored", heat.stored});
  outcome.figures.push_back({"heat_balance", "imbalance", heat.imbalance()});
  outcome.figures.push_back({"heat_balance", "imbalance_part", part});
  using Range = std::vector<std::optional<double>>;
  outcome.figures.push_back({"maximum_principle", "allowed", Range{bounds.low, bounds.high}});
  outcome.figures.push_back({"maximum_principle", "found", Range{bounds.lowest, bounds.highest}});
  outcome.figures.push_back({"maximum_principle", "nodes_beyond", bounds.nodes_beyond});
  outcome.figures.push_back({"maximum_principle", "couplings", bounds.couplings});
  outcome.figures.push_back({"maximum_principle", "positive_couplings", bounds.positive_couplings});
  return outcome;
}

std::string beyond_bounds_text(const MaximumPrinciple& found, bool with_bdf2) {
  const auto bound = [](const std::optional<real>& limit) {
    return limit ? message("{:.9g}", *limit) : std::string("anything");
  };
  std::vector<std::string> causes;
  if (found.positive_couplings > 0) {
    causes.push_back(message(
        "{} of the mesh's {} pairs of neighbouring nodes pull apart, as obtuse angles make them: a better or finer "
        "mesh there brings it back",
        found.positive_couplings, found.couplings));
  }
  if (with_bdf2) {
    causes.push_back(
        "after a sudden change BDF2 overshoots where the step is long: take a smaller `step`, or scheme = \"euler\"");
  }
  return message(
      "the temperature leaves what its boundary and initial values allow, {} to {} K, at {} node{}, farthest at "
      "({:.6g}, {:.6g}, {:.6g}): it reaches from {:.9g} to {:.9g} K. {}",
      bound(found.low), bound(found.high), found.nodes_beyond, found.nodes_beyond == 1 ? "" : "s", found.place.x,
      found.place.y, found.place.z, found.lowest, found.highest,
      causes.empty() ? "The solver's tolerance is too loose" : joined(causes, "; "));
}

}  // namespace solenoid
