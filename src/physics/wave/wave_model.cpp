#include "physics/wave/wave_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace solenoid {

WaveModel::WaveModel(const WaveSetup& setup, const LocalMesh& mesh, const MemoryOf& /*scope*/)
    : setup_(setup),
      mesh_(mesh),
      waves_(mesh, setup.problem(mesh.part().regions, mesh.part().patches), setup.wave, 0) {}

real WaveModel::next_step(real target) const {
  return solenoid::next_step(setup_.time->step, waves_.rate_of_cells(), 0, waves_.time(), target);
}

void WaveModel::diagnose() {
  energy_ = waves_.energy();
  if (first_energy_ > 0) drift_ = std::max(drift_, std::abs(energy_ / first_energy_ - 1));
}

std::string WaveModel::progress() const {
  return message("energy {:.6g}  {} it", energy_, solves().last("wave").iterations);
}

std::vector<HistoryColumn> WaveModel::history() {
  const char* unit = mesh_.dimension() == 2 ? "m^4/s^2" : "m^5/s^2";
  std::vector<HistoryColumn> columns{{"energy", unit, [this] { return energy_; }}};
  add_solver_columns(columns, solves(), "wave");
  return columns;
}

ModelOutcome WaveModel::outcome() {
  const real share = first_energy_ > 0 ? energy_ / first_energy_ : 1;
  return {message(", energy {:.6g} of {:.6g} at the start", energy_, first_energy_),
          {},
          {},
          {{"energy", "first", first_energy_},
           {"energy", "last", energy_},
           {"energy", "share", share},
           {"energy", "drift", drift_}}};
}

std::vector<Quantity> WaveModel::quantities() {
  const std::vector<QuantityInfo> infos = setup_.quantities();
  return {quantity_at_nodes(infos[0], waves_.displacement()), quantity_at_nodes(infos[1], waves_.rate())};
}

void WaveModel::visit_state(StateVisitor& visitor) {
  waves_.visit_state(visitor);
  visitor.number("first_energy", first_energy_);
  visitor.number("drift", drift_);
}

}  // namespace solenoid
