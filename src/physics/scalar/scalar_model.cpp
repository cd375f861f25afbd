#include "physics/scalar/scalar_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/frame.hpp"
#include "model/patch_integral.hpp"
#include "physics/flow/flow_setup.hpp"

namespace solenoid {

namespace {

constexpr real of_swing = 0.5;  // longest step times the frequency of buoyancy

}  // namespace

ScalarModel::ScalarModel(const ScalarSetup& setup, const FlowSetup& flow, const NodePairs& pairs,
                         AdvectingFluxes& carrier, const FluidPart* fluid, const MemoryOf& /*scope*/)
    : setup_(setup),
      time_(*flow.time),
      mesh_(pairs.mesh()),
      carrier_(carrier),
      fluid_(fluid),
      scalar_(pairs, setup.problem(mesh_, flow.directions(mesh_), flow.settings.zones), setup.settings, time_.begin),
      is_felt_(setup.buoyancy || (setup.is_temperature && flow.settings.of_temperature)) {
  scalar_.set_values(setup.first_values());
  extremes_ = range_ = scalar_.range();
  if (setup.buoyancy) buoyancy_.emplace(fluid ? fluid->mesh() : mesh_, *setup.buoyancy);
  if (is_felt_ && fluid) in_fluid_.emplace(fluid->mesh());
  lift();
  if (!setup.solids.empty()) solids_.emplace(pairs, setup);
  if (!setup.nusselt) return;
  const std::vector<std::string>& patches = mesh_.part().patches;
  for (int p = 0; p < static_cast<int>(patches.size()); ++p) {
    const auto condition = setup.boundary.find(patches[p]);
    if (condition == setup.boundary.end() || condition->second.kind == BoundaryKind::inflow) continue;
    if (flow.is_inlet(patches[p])) continue;
    nusselt_patches_.push_back(p);
    patch_areas_.push_back(PatchIntegral(mesh_, {p}).area());
  }
  nusselt_.resize(nusselt_patches_.size());
}

void ScalarModel::begin_at(real time) {
  scalar_.begin_at(time, setup_.initial);
  extremes_ = range_ = scalar_.range();
  lift();
  bound_step();
}

std::vector<std::string> ScalarModel::origin() const {
  if (!setup_.start || !setup_.start->fields) return {};
  bool is_there = false;
  mesh_.comm().guard([&] { is_there = setup_.start->fields->has_scalar(setup_.name); });
  return {message(is_there ? "  start    {} of {}" : "  start    {} as given: it is not in {}", setup_.name,
                  setup_.start->fields->name())};
}

std::string ScalarModel::unit_of_content() const {
  const char* const volume = mesh_.dimension() == 2 ? "m^2" : "m^3";
  return setup_.is_temperature ? std::string("K ") + volume : volume;
}

std::string ScalarModel::unit_of_flow() const {
  const std::string flux = unit_of_flux(mesh_.dimension());
  return setup_.is_temperature ? "K " + flux : flux;
}

void ScalarModel::lift() {
  if (!is_felt_) return;
  const auto values = halo(scalar_.values());
  if (in_fluid_) fluid_->restrict_to_fluid(values, *in_fluid_);
  const auto felt = in_fluid_ ? halo(*in_fluid_) : values;
  if (buoyancy_) buoyancy_->compute(felt);
}

real ScalarModel::next_step(real target) const {
  const StepControl& control = time_.step;
  if (control.step > 0) return solenoid::next_step(control, 0, scalar_.last_dt(), scalar_.time(), target);
  StepControl by_rate;
  by_rate.cfl = 1;
  return solenoid::next_step(by_rate, 1 / longest_step_, 0, scalar_.time(),
                             target);  // the flow limits the growth of steps
}

void ScalarModel::advance(real dt) {
  const DualFluxes& carrying = carrier_.extrapolated(scalar_.extrapolation(dt));
  scalar_.advance(dt, carrying);
  over_limit_ = std::max(over_limit_, dt / scalar_.longest_step(carrying));
  over_swing_ = std::max(over_swing_, dt * frequency_ / of_swing);
  lift();
}

void ScalarModel::revert_step() {
  scalar_.revert_step();
  lift();
}

void ScalarModel::diagnose() {
  content_ = scalar_.content();
  if (!std::isfinite(content_)) {
    const real time = scalar_.time();
    revert_step();
    throw Error(ExitCode::failure,
                message("at t = {:.6g} s the {} is not finite: take a smaller time step", time, setup_.name), true);
  }
  range_ = scalar_.range();
  extremes_ = {std::min(extremes_.low, range_.low), std::max(extremes_.high, range_.high)};
  balance_ = scalar_.balance();
  if (solids_) solids_->diagnose(scalar_);
  for (std::size_t k = 0; k < nusselt_.size(); ++k) {
    const NusseltScale& scale = *setup_.nusselt;
    nusselt_[k] = std::abs(balance_.through[nusselt_patches_[k]]) * scale.length /
                  (patch_areas_[k] * setup_.diffusivity * scale.difference);
  }
  bound_step();
}

/// Limit of the next step, from the present flow and values. Collective.
void ScalarModel::bound_step() {
  constexpr real reserve = 0.9;  // for an accelerating flow
  longest_step_ = reserve * scalar_.longest_step(carrier_.now());
  if (setup_.settings.convection == ScalarConvection::upwind) longest_step_ /= 2;  // extrapolation from two steps
  frequency_ = buoyancy_ ? buoyancy_->frequency() : 0;
  if (frequency_ > 0) longest_step_ = std::min(longest_step_, of_swing / frequency_);
}

std::string ScalarModel::progress() const {
  return setup_.is_temperature ? message("T {:.6g} to {:.6g} K", range_.low, range_.high)
                               : message("{} {:.4g} to {:.4g}", setup_.name, range_.low, range_.high);
}

std::vector<HistoryColumn> ScalarModel::history() {
  std::vector<HistoryColumn> columns{{setup_.name + "_min", setup_.unit(), [this] { return range_.low; }},
                                     {setup_.name + "_max", setup_.unit(), [this] { return range_.high; }},
                                     {setup_.name + "_content", unit_of_content(), [this] { return content_; }}};
  add_balance_columns(columns, balance_, setup_.prefix(), unit_of_flow(), mesh_.part().patches,
                      {"min", "max", "content"});
  std::vector<std::string> with_nusselt;
  for (const int p : nusselt_patches_) with_nusselt.push_back(mesh_.part().patches[p]);
  const std::vector<std::string> numbers = names_of_patch_columns("nusselt", with_nusselt);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    columns.push_back({numbers[k], "-", [this, k] { return nusselt_[k]; }});
  }
  if (solids_) add_columns_of_solids(columns);
  add_solver_columns(columns, solves(), setup_.settings.solver.name);
  return columns;
}

/// A patch named from_SOLID has a heat column of a solid's name: the solid's column then gets another name.
void ScalarModel::add_columns_of_solids(std::vector<HistoryColumn>& columns) const {
  std::vector<std::string> names, taken;
  for (const SolidHeat::State& solid : solids_->states()) names.push_back(solid.name);
  const std::string from = "from_";
  for (const std::string& patch : mesh_.part().patches) {
    if (patch.starts_with(from)) taken.push_back(patch.substr(from.size()));
  }
  const std::vector<std::string> heat = names_of_patch_columns("heat_from", names, taken),
                                 mean = names_of_patch_columns("temperature_mean", names),
                                 highest = names_of_patch_columns("temperature_max", names);
  for (std::size_t s = 0; s < names.size(); ++s) {
    const SolidHeat::State& solid = solids_->states()[s];
    columns.push_back({heat[s], unit_of_flow(), [&solid] { return solid.into_fluid; }});
    columns.push_back({mean[s], "K", [&solid] { return solid.mean; }});
    columns.push_back({highest[s], "K", [&solid] { return solid.highest; }});
  }
}

ModelOutcome ScalarModel::outcome() {
  ModelOutcome outcome;
  const std::vector<std::string>& patches = mesh_.part().patches;
  const std::string prefix = setup_.prefix();
  std::vector<std::string> numbers;
  for (std::size_t p = 0; p < balance_.through.size(); ++p) {
    outcome.figures.push_back({prefix, patches[p], balance_.through[p]});
  }
  outcome.lines.push_back(message("  {:<8} {:.9g} to {:.9g}{}, over the run {:.9g} to {:.9g}; content {:.9g} {}",
                                  setup_.name, range_.low, range_.high, setup_.is_temperature ? " K" : "",
                                  extremes_.low, extremes_.high, content_, unit_of_content()));
  outcome.lines.push_back(message("           into the fluid{} [{}]: {}", solids_ ? " and solids" : "", unit_of_flow(),
                                  balance_.in_words(patches, false)));
  for (std::size_t k = 0; k < nusselt_.size(); ++k) {
    numbers.push_back(message("{} {:.6g}", patches[nusselt_patches_[k]], nusselt_[k]));
    outcome.figures.push_back({"nusselt", patches[nusselt_patches_[k]], nusselt_[k]});
  }
  if (!numbers.empty()) outcome.lines.push_back(message("           Nusselt number: {}", joined(numbers, ", ")));
  for (const SolidHeat::State& solid : solids_ ? solids_->states() : std::vector<SolidHeat::State>()) {
    outcome.lines.push_back(message("           {}: {:.6g} into the fluid, {:.6g} K in the mean, {:.6g} K at most",
                                    solid.name, solid.into_fluid, solid.mean, solid.highest));
    outcome.figures.push_back({"solids", solid.name,
                               std::vector<std::pair<std::string, double>>{
                                   {"heat", solid.into_fluid}, {"mean", solid.mean}, {"max", solid.highest}}});
  }
  const std::string group = setup_.name + "_balance";
  const real part = balance_.supplied() > 0 ? std::abs(balance_.imbalance()) / balance_.supplied() : 0;
  outcome.figures.push_back({group, "source", balance_.source});
  outcome.figures.push_back({group, "stored", balance_.stored});
  outcome.figures.push_back({group, "imbalance", balance_.imbalance()});
  outcome.figures.push_back({group, "imbalance_part", part});
  const std::string range = setup_.name + "_range";
  outcome.figures.push_back({range, "min", range_.low});
  outcome.figures.push_back({range, "max", range_.high});
  outcome.figures.push_back({range, "min_of_run", extremes_.low});
  outcome.figures.push_back({range, "max_of_run", extremes_.high});
  outcome.figures.push_back({range, "content", content_});
  const bool is_limited = setup_.settings.convection == ScalarConvection::limited;
  if (over_limit_ > (is_limited ? 1 : 1.5)) {
    const std::string kept = is_limited ? message("the limited {} keeps to its range with", setup_.name)
                                        : message("swings of the {} are sure not to grow with", setup_.name);
    outcome.warnings.push_back(
        message("steps were up to {:.2g} times as long as {}: take a smaller `step`, or `cfl`", over_limit_, kept));
    outcome.figures.push_back({range, "step_over_limit", over_limit_});
  }
  if (over_swing_ > 1.001) {
    outcome.warnings.push_back(message(
        "steps were up to {:.2g} times as long as the coupling of {} and flow is sure to be stable with, half over "
        "the frequency of buoyancy: take a smaller `step`, or `cfl`",
        over_swing_, setup_.name));
    outcome.figures.push_back({range, "step_over_buoyancy", over_swing_});
  }
  return outcome;
}

void ScalarModel::visit_state(StateVisitor& visitor) {
  const std::string& name = setup_.name;
  scalar_.visit_state(visitor);
  visitor.number(name + "_longest_step", longest_step_);
  visitor.number(name + "_lowest", extremes_.low);
  visitor.number(name + "_highest", extremes_.high);
  visitor.number(name + "_over_limit", over_limit_);
  visitor.number(name + "_over_swing", over_swing_);
  visitor.number(name + "_frequency", frequency_);
}

void ScalarModel::state_restored() {
  scalar_.state_restored();
  lift();
}

}  // namespace solenoid
