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
  const real step = setup_.time->step.step;
  require_on_all_ranks(
      step < longest_step_,
      [&] {
        return message(
            "`step` in [time] is {:g} s: steps of {:.3g} s and more are unstable on this mesh; take {:.2g} s, or "
            "`cfl = 0.7`, the share of that",
            step, longest_step_, 0.7 * longest_step_);
      },
      ExitCode::bad_input);
  first_energy_ = energy_ = waves_.energy();
  first_volume_ = volume_ = waves_.volume();
  height_.sample(waves_.elevation(), time());
}

real WaterWavesModel::next_step(real target) const {
  return solenoid::next_step(setup_.time->step, 1 / longest_step_, 0, waves_.time(), target);
}

void WaterWavesModel::advance(real dt) {
  waves_.advance(dt);
  height_.sample(waves_.elevation(), time());
}

void WaterWavesModel::diagnose() {
  energy_ = waves_.energy();
  volume_ = waves_.volume();
  compute_forces();
  volume_drift_ = std::max(volume_drift_, std::abs(volume_ / first_volume_ - 1));
  if (reference_energy_ == 0) reference_energy_ = energy_;
  if (reference_energy_ > 0) drift_ = std::max(drift_, std::abs(energy_ / reference_energy_ - 1));
}

void WaterWavesModel::compute_forces() {
  if (!slope_) return;
  gradient_.apply(halo(waves_.elevation()), *slope_);
  forces_ = waves_.fleet().forces(time(), *slope_);
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
  return {message(", energy {:.6g} of {:.6g} m^5/s^2 at the start", energy_, first_energy_),
          {},
          {},
          {{"energy", "first", first_energy_},
           {"energy", "last", energy_},
           {"energy", "drift", drift_},
           {"volume", "first", first_volume_},
           {"volume", "last", volume_},
           {"volume", "drift", volume_drift_},
           {"step", "longest", longest_step_}}};
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
  return {
      quantity_at_nodes(infos[0], waves_.elevation()),
      {infos[1], false, of_velocity,
       [of_velocity](const PointSampler& points) { return of_the_cell(points, of_velocity); }},
      {infos[2], false, of_depth, [of_depth](const PointSampler& points) { return around_the_cell(points, of_depth); }},
      {infos[3], false, of_height,
       [of_height](const PointSampler& points) { return between_nodes(points, of_height); }}};
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
  height_.state_restored();
}

}  // namespace solenoid
