#include "physics/flow/balance/driving_pressures.hpp"

#include "field/assign.hpp"
#include "solve/dense_system.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

DrivingPressures::DrivingPressures(PressureSystem& system, const PairDrives& pairs, const OutletPressures& outlets,
                                   const SolveControl& control)
    : pairs_(pairs), outlets_(outlets) {
  const LocalMesh& mesh = system.conductance().mesh();
  const SolveControl tight = unrecorded(tightened(control, tolerance::of_response));
  const std::size_t of_pairs = pairs.driven().size(), count = of_pairs + outlets.patches().size();
  Field<Face> along(mesh);
  Field<Cell> right_side(mesh);
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_pair = k < of_pairs;
    const FluxSurfaces& surfaces = is_pair ? pairs.faces() : outlets.faces();
    std::vector<real> one(surfaces.count(), 0);
    one[is_pair ? pairs.driven()[k] : k - of_pairs] = 1;
    along = 0 * along;
    surfaces.add(one, along);
    Field<Face>& flow = flows_.emplace_back(mesh);
    Field<Cell>& pressure = pressures_.emplace_back(mesh);
    flow = system.conductance() * along;
    right_side = -(mesh.D * halo(flow));
    system.solve_without_history(right_side, pressure, tight);
    flow = system.conductance() * (along - mesh.G * halo(pressure));
    if (is_pair) probes_.emplace_back(flow, pairs.faces());
  }
  through_.resize(count * count);
  for (std::size_t j = 0; j < count; ++j) {
    const std::vector<real> of_flow = through(flows_[j]);
    for (std::size_t i = 0; i < count; ++i) through_[i * count + j] = of_flow[i];
  }
}

/// Through each surface of flows_.
std::vector<real> DrivingPressures::through(const Field<Face>& flux) const {
  const std::vector<real> of_pairs = pairs_.faces().sum(flux), of_outlets = outlets_.faces().sum(flux);
  std::vector<real> fluxes;
  for (const std::size_t pair : pairs_.driven()) fluxes.push_back(of_pairs[pair]);
  fluxes.insert(fluxes.end(), of_outlets.begin(), of_outlets.end());
  return fluxes;
}

void DrivingPressures::correct(const Wanted& wanted, real factor, Field<Face>& flux, DroppingPressure& pressure) const {
  const std::size_t of_pairs = pairs_.driven().size(), count = flows_.size();
  const std::vector<real> fluxes = through(flux);
  std::vector<real> matrix = through_, lacking;
  for (std::size_t i = 0; i < of_pairs; ++i) lacking.push_back(wanted.through_pairs[pairs_.driven()[i]] - fluxes[i]);
  for (std::size_t i = of_pairs; i < count; ++i) {
    const std::optional<OutletCondition>& condition = wanted.at_outlets[i - of_pairs];
    if (condition) {
      matrix[i * count + i] += condition->slope * factor;
      lacking.push_back(condition->rate + condition->slope * wanted.pressures[i - of_pairs] - fluxes[i]);
      continue;
    }
    for (std::size_t j = 0; j < count; ++j) matrix[i * count + j] = matrix[j * count + i] = i == j ? 1 : 0;
    lacking.push_back(0);
  }
  const std::vector<real> shares = solve_dense(matrix, lacking);
  for (std::size_t i = 0; i < count; ++i) {
    if (shares[i] == 0) continue;
    flux = flux + shares[i] * flows_[i];
    pressure.values = pressure.values + (factor * shares[i]) * pressures_[i];
    if (i < of_pairs) {
      pressure.drops[pairs_.driven()[i]] += factor * shares[i];
    } else {
      pressure.outlets[i - of_pairs] -= factor * shares[i];
    }
  }
}

std::vector<real> DrivingPressures::drops(const std::vector<real>& powers) const {
  const std::size_t of_pairs = pairs_.driven().size(), count = flows_.size();
  std::vector<real> matrix;
  for (std::size_t i = 0; i < of_pairs; ++i) {
    for (std::size_t j = 0; j < of_pairs; ++j) matrix.push_back(through_[i * count + j]);
  }
  const std::vector<real> found = solve_dense(matrix, powers);
  std::vector<real> drops(pairs_.faces().count(), 0);
  for (std::size_t i = 0; i < of_pairs; ++i) drops[pairs_.driven()[i]] = found[i];
  return drops;
}

}  // namespace solenoid
