#include "physics/waves/water_waves_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace solenoid {

WaterWavesModel::WaterWavesModel(const WaterWavesSetup& setup, const LocalMesh& mesh, const MemoryOf& /*scope*/)
    : setup_(setup),
      waves_(mesh, setup.problem(mesh.part().patches), setup.elliptic, 0),
      height_(mesh, setup.height, setup.height_from),
      gradient_(mesh),
      velocity_(mesh),
      forces_(setup.ships.size()) {
  if (!forces_.empty()) slope_.emplace(mesh);
}

void WaterWavesModel::start() {
  longest_step_ = waves_.longest_step();
  const std::string fault = setup_.fault_of_step(longest_step_);
  require_on_all_ranks(
      fault.empty(), [&] { return fault; }, ExitCode::bad_input);
  first_energy_ = energy_ = waves_.energy();
  first_volume_ = volume_ = waves_.volume();
  height_.sample(waves_.elevation(), time());
}

real WaterWavesModel::next_step(real target) const {
  return solenoid::next_step(setup_.time->step, 1 / longest_step_, 0, waves_.time(), target);
}

void WaterWavesModel::advance(real dt) {
  waves_.advance(dt);
  const real energy = waves_.energy();
  step_or_undo([&] { require_bounded_energy(energy); }, [&] { waves_.revert_step(); });
  energy_ = energy;
  height_.sample(waves_.elevation(), time());
}

void WaterWavesModel::require_bounded_energy(real energy) {
  constexpr real most = 10;
  require_on_all_ranks(std::isfinite(energy), [&] {
    return message(
        "at t = {:.6g} s the energy of the waves is not finite: check that none of the values in the case is extremely "
        "large or small, or take a smaller time step (`step` or `cfl` in [time])",
        time());
  });
  const bool grows = waves_.keeps_energy() && reference_energy_ > 0 && energy > most * reference_energy_;
  require_on_all_ranks(!grows, [&] {
    return message(
        "at t = {:.6g} s the energy of the waves is {:.3g} times that of the first step, and nothing supplies any{}: "
        "the steps are unstable{}; take a smaller `step` or `cfl` in [time]{}",
        time(), energy / reference_energy_, waves_.has_current() ? " but the current" : "",
        waves_.has_current() ? ", or the current makes waves grow" : "",
        waves_.has_current() ? ", or a slower or smoother `velocity` in [waves]" : "");
  });
}

void WaterWavesModel::diagnose() {
  volume_ = waves_.volume();
  compute_forces();
  volume_drift_ = std::max(volume_drift_, std::abs(volume_ / first_volume_ - 1));
  if (reference_energy_ == 0) reference_energy_ = energy_;
  if (reference_energy_ > 0) drift_ = std::max(drift_, std::abs(energy_ / reference_energy_ - 1));
}

void WaterWavesModel::compute_forces() {
  if (!slope_) return;
  gradient_.apply(halo(waves_.elevation()), *slope_);
  forces_ = waves_.fleet().forces(*slope_);
}

bool WaterWavesModel::depends_on_time() const {
  return !setup_.ships.empty() || std::any_of(setup_.sides.begin(), setup_.sides.end(),
                                              [](const auto& side) { return !side.second.incoming.empty(); });
}

std::string WaterWavesModel::progress() const {
  return message("energy {:.6g}  {} it", energy_, solves().last("elliptic").iterations);
}

std::vector<HistoryColumn> WaterWavesModel::history() {
  std::vector<HistoryColumn> columns{{"energy", "m^5/s^2", [this] { return energy_; }},
                                     {"volume", "m^3", [this] { return volume_; }}};
  std::vector<std::string> names;
  for (const Ship& ship : setup_.ships) names.push_back(ship.name);
  const auto add = [&](const std::string& what, auto&& of) {
    const std::vector<std::string> of_ships = names_of_patch_columns(what, names);
    for (std::size_t k = 0; k < names.size(); ++k) columns.push_back({of_ships[k], "N", [k, of] { return of(k); }});
  };
  add("surge", [this](std::size_t k) { return forces_[k].surge; });
  add("sway", [this](std::size_t k) { return forces_[k].sway; });
  add("yaw", [this](std::size_t k) { return forces_[k].yaw / setup_.ships[k].length; });
  add_solver_columns(columns, solves(), "elliptic");
  return columns;
}

ModelOutcome WaterWavesModel::outcome() {
  std::vector<SummaryFigure> figures{{"energy", "first", first_energy_}, {"energy", "last", energy_}};
  if (waves_.keeps_energy()) figures.push_back({"energy", "drift", drift_});
  figures.insert(figures.end(), {{"volume", "first", first_volume_},
                                 {"volume", "last", volume_},
                                 {"volume", "drift", volume_drift_},
                                 {"step", "longest", longest_step_}});
  return {message(", energy {:.6g} of {:.6g} m^5/s^2 at the start", energy_, first_energy_), {}, {}, figures};
}

/// Of the still surface: grad phi.
Field<Cell, Vec3>& WaterWavesModel::velocity() {
  gradient_.apply(halo(waves_.potential()), velocity_);
  halo(velocity_);
  return velocity_;
}

std::vector<Quantity> WaterWavesModel::quantities() {
  const std::vector<QuantityInfo> infos = setup_.quantities();
  const auto of_velocity = [this]() -> Evaluated { return &velocity(); };
  const auto of_depth = [this]() -> Evaluated { return &waves_.depth(); };
  const auto of_height = [this]() -> Evaluated { return &height_.now(); };
  std::vector<Quantity> quantities{
      quantity_at_nodes(infos[0], waves_.elevation()),
      {infos[1], false, of_velocity,
       [of_velocity](const PointSampler& points) { return of_the_cell(points, of_velocity); }},
      {infos[2], false, of_depth, [of_depth](const PointSampler& points) { return around_the_cell(points, of_depth); }},
      {infos[3], false, of_height,
       [of_height](const PointSampler& points) { return between_nodes(points, of_height); }}};
  if (waves_.has_current()) {
    const auto of_current = [this]() -> Evaluated { return &waves_.current(); };
    quantities.push_back({infos[4], false, of_current,
                          [of_current](const PointSampler& points) { return of_the_cell(points, of_current); }});
  }
  return quantities;
}

void WaterWavesModel::visit_state(StateVisitor& visitor) {
  waves_.visit_state(visitor);
  height_.visit_state(visitor);
  visitor.number("first_energy", first_energy_);
  visitor.number("reference_energy", reference_energy_);
  visitor.number("drift", drift_);
  visitor.number("volume_drift", volume_drift_);
  visitor.number("first_volume", first_volume_);
}

void WaterWavesModel::state_restored() {
  waves_.state_restored();
  energy_ = waves_.energy();
  height_.state_restored();
}

}  // namespace solenoid
