#include "physics/waves/water_waves_model.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

WaterWavesModel::WaterWavesModel(const WaterWavesSetup& setup, const LocalMesh& mesh, const MemoryOf& /*scope*/)
    : setup_(setup),
      mesh_(mesh),
      waves_(mesh, setup.problem(mesh.part().patches), setup.elliptic, 0),
      gradient_(mesh),
      velocity_(mesh) {}

void WaterWavesModel::start() {
  longest_step_ = waves_.longest_step();
  const real step = setup_.time->step.step;
  require_input(step < longest_step_, [&] {
    return message(
        "`step` in [time] is {:g} s: steps of {:.3g} s and more are unstable on this mesh; take {:.2g} s, or "
        "`cfl = 0.7`, the share of that",
        step, longest_step_, 0.7 * longest_step_);
  });
  first_energy_ = energy_ = waves_.energy();
  first_volume_ = volume_ = waves_.volume();
}

real WaterWavesModel::next_step(real target) const {
  return solenoid::next_step(setup_.time->step, 1 / longest_step_, 0, waves_.time(), target);
}

void WaterWavesModel::diagnose() {
  energy_ = waves_.energy();
  volume_ = waves_.volume();
}

bool WaterWavesModel::depends_on_time() const {
  return std::any_of(setup_.sides.begin(), setup_.sides.end(),
                     [](const auto& side) { return !side.second.incoming.empty(); });
}

std::string WaterWavesModel::progress() const {
  return message("energy {:.6g}  {} it", energy_, solves().last("elliptic").iterations);
}

std::vector<HistoryColumn> WaterWavesModel::history() {
  std::vector<HistoryColumn> columns{{"energy", "m^5/s^2", [this] { return energy_; }},
                                     {"volume", "m^3", [this] { return volume_; }}};
  add_solver_columns(columns, solves(), "elliptic");
  return columns;
}

ModelOutcome WaterWavesModel::outcome() {
  return {message(", energy {:.6g} of {:.6g} m^5/s^2 at the start", energy_, first_energy_),
          {},
          {},
          {{"energy", "first", first_energy_},
           {"energy", "last", energy_},
           {"volume", "first", first_volume_},
           {"volume", "last", volume_},
           {"step", "longest", longest_step_}}};
}

/// Of the still surface: grad phi.
Field<Cell, Vec3>& WaterWavesModel::velocity() {
  gradient_.apply(halo(waves_.potential()), velocity_);
  return velocity_;
}

std::vector<Quantity> WaterWavesModel::quantities() {
  const std::vector<QuantityInfo> infos = setup_.quantities();
  const auto in_cells = [](const QuantityInfo& info, std::function<Evaluated()> evaluate) {
    return Quantity{info, false, evaluate,
                    [evaluate](const PointSampler& points) { return around_the_cell(points, evaluate); }};
  };
  return {quantity_at_nodes(infos[0], waves_.elevation()),
          in_cells(infos[1], [this]() -> Evaluated { return &velocity(); }),
          in_cells(infos[2], [this]() -> Evaluated { return &waves_.depth(); })};
}

void WaterWavesModel::visit_state(StateVisitor& visitor) {
  waves_.visit_state(visitor);
  visitor.number("first_energy", first_energy_);
  visitor.number("first_volume", first_volume_);
  visitor.number("longest_step", longest_step_);
}

}  // namespace solenoid
