#include "physics/flow/balance/pair_pressure.hpp"

#include <algorithm>
#include <utility>

#include "field/assign.hpp"
#include "solve/dense_system.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

PairPressure::PairPressure(PressureSystem& system, const PairFaces& faces, std::vector<std::size_t> pairs,
                           const SolveControl& control)
    : faces_(faces), pairs_(std::move(pairs)) {
  const LocalMesh& mesh = system.conductance().mesh();
  const SolveControl tight = unrecorded(tightened(control, tolerance::of_response));
  Field<Face> along(mesh);
  Field<Cell> right_side(mesh);
  for (const std::size_t pair : pairs_) {
    std::vector<real> one(faces.count(), 0);
    one[pair] = 1;
    along = 0 * along;
    faces.add(one, along);
    Field<Face>& flow = flows_.emplace_back(mesh);
    Field<Cell>& pressure = pressures_.emplace_back(mesh);
    flow = system.conductance() * along;
    right_side = -(mesh.D * halo(flow));
    system.solve_without_history(right_side, pressure, tight);
    flow = system.conductance() * (along - mesh.G * halo(pressure));
    virtual_flows_.emplace_back(flow, faces);
  }
  through_.resize(pairs_.size() * pairs_.size());
  for (std::size_t j = 0; j < pairs_.size(); ++j) {
    const std::vector<real>& through = virtual_flows_[j].through_pairs();
    for (std::size_t i = 0; i < pairs_.size(); ++i) through_[i * pairs_.size() + j] = through[pairs_[i]];
  }
}

void PairPressure::correct(const std::vector<real>& wanted, real factor, Field<Face>& flux,
                           DroppingPressure& pressure) const {
  const std::vector<real> through = faces_.sum(flux);
  std::vector<real> lacking;
  for (const std::size_t pair : pairs_) lacking.push_back(wanted[pair] - through[pair]);
  const std::vector<real> shares = solve_dense(through_, lacking);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    flux = flux + shares[i] * flows_[i];
    pressure.values = pressure.values + (factor * shares[i]) * pressures_[i];
    pressure.drops[pairs_[i]] += factor * shares[i];
  }
}

std::vector<real> PairPressure::drops(const std::vector<real>& powers) const {
  const std::vector<real> found = solve_dense(through_, powers);
  std::vector<real> drops(faces_.count(), 0);
  for (std::size_t i = 0; i < pairs_.size(); ++i) drops[pairs_[i]] = found[i];
  return drops;
}

}  // namespace solenoid
