#include "physics/flow/balance/momentum_balance.hpp"

#include <utility>
#include <variant>

#include "field/assign.hpp"
#include "operators/interpolation.hpp"

namespace solenoid {

MomentumBalance::MomentumBalance(const LocalMesh& mesh, BalancedStep& step, Terms terms, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      step_(step),
      terms_(terms),
      acceleration_(mesh),
      residual_(mesh),
      solved_pressure_(mesh),
      pressure_(mesh),
      to_walls_(mesh),
      wall_pressure_(mesh),
      of_outlets_(mesh),
      tractions_(mesh),
      along_duals_(mesh),
      cells_(mesh) {}

void MomentumBalance::flow_changed() { has_acceleration_ = has_residual_ = has_pressure_ = false; }

void MomentumBalance::copy_outlet_pressure(BoundaryField<real>& pressure) const {
  if (terms_.faces.has_open()) terms_.faces.copy_outlet_pressure(terms_.outlets.shown_by_patch(), pressure);
}

void MomentumBalance::compute_acceleration() {
  if (has_acceleration_) return;
  step_.compute_acceleration(acceleration_, solved_pressure_);
  if (const Buoyancy* const buoyancy = terms_.forces.buoyancy()) acceleration_ = acceleration_ - buoyancy->in_cells();
  if (terms_.drag) terms_.drag->add_to(acceleration_, terms_.state.velocity);
  has_acceleration_ = true;
}

/// The momentum equation of the last step without its pressure.
void MomentumBalance::compute_residual() {
  if (has_residual_) return;
  compute_acceleration();
  if (const Buoyancy* const buoyancy = terms_.forces.buoyancy()) {
    cells_ = acceleration_ + buoyancy->in_cells();
    integrate(halo(cells_), residual_);
    residual_ = residual_ - buoyancy->along_duals();
  } else {
    integrate(halo(acceleration_), residual_);
  }
  terms_.friction.add_forces(residual_, along_duals_);
  if (terms_.rotating) terms_.rotating->add_jumps(residual_);
  has_residual_ = true;
}

/// h . r of the last step's residual without the pressure in cells, with these drops over pairs.
real MomentumBalance::probe(const PressureProbeFlux& flow, const std::vector<real>& drops) {
  compute_residual();
  copy_outlet_pressure(of_outlets_);
  real power = flow.power(residual_, of_outlets_);
  for (std::size_t k = 0; k < drops.size(); ++k) power -= drops[k] * flow.through_pairs()[k];
  return power;
}

std::vector<real> MomentumBalance::pressure_drops() {
  std::vector<real> drops = terms_.pairs.drops();
  if (terms_.pairs.driven().empty()) return drops;
  std::vector<real> powers;
  for (const PressureProbeFlux& flow : driving_pressures().flows_of_pairs()) powers.push_back(probe(flow, drops));
  const std::vector<real> driving = driving_pressures().drops(powers);
  for (std::size_t k = 0; k < drops.size(); ++k) drops[k] = driving[k] + drops[k];
  return drops;
}

DrivingPressures& MomentumBalance::driving_pressures() {
  if (!driving_pressures_) {
    driving_pressures_.emplace(terms_.pressure_system, terms_.pairs, terms_.outlets, terms_.settings.pressure);
  }
  return *driving_pressures_;
}

const std::vector<Opening>& MomentumBalance::openings() {
  if (!openings_) {
    openings_ =
        find_openings(mesh_, terms_.boundaries, terms_.pairs.faces(), terms_.pressure_system, terms_.settings.pressure);
  }
  return *openings_;
}

std::vector<real> MomentumBalance::pressures_at_openings() {
  std::vector<real> means;
  const std::vector<real> drops = openings().empty() ? std::vector<real>() : pressure_drops();
  copy_outlet_pressure(of_outlets_);
  const std::vector<real> potentials = frame_potentials_at_openings();
  for (const Opening& opening : openings()) {
    if (const auto* const flow = std::get_if<PressureProbeFlux>(&opening.pressure)) {
      means.push_back(probe(*flow, drops));
    } else {
      const PatchIntegral& outlet = std::get<PatchIntegral>(opening.pressure);
      means.push_back(outlet.of(&of_outlets_)[0] / outlet.area());
    }
    if (!potentials.empty()) means.back() += potentials[means.size() - 1];
  }
  return means;
}

/// Mean centrifugal potential over each of openings(), none where nothing turns.
std::vector<real> MomentumBalance::frame_potentials_at_openings() {
  FramePotential* const centrifugal = potential();
  if (!centrifugal) return {};
  if (!potentials_) {
    potentials_.emplace();
    for (const Opening& opening : openings()) {
      const PatchIntegral patch(mesh_, {opening.patch});
      potentials_->push_back(patch.of(&centrifugal->at_faces())[0] / patch.area());
    }
  }
  return *potentials_;
}

void MomentumBalance::build_systems() {
  if (!terms_.pairs.driven().empty()) driving_pressures();
  openings();
  frame_potentials_at_openings();
}

void MomentumBalance::solve_pressure() {
  if (has_pressure_) return;
  const std::vector<real> drops = pressure_drops();
  compute_residual();
  along_duals_.copy_from(residual_);
  terms_.faces.add_pressure(terms_.outlets.shown_by_patch(), along_duals_);
  terms_.pairs.faces().subtract(drops, along_duals_);
  step_.compute_pressure(along_duals_, solved_pressure_);
  has_pressure_ = true;
}

Field<Cell>& MomentumBalance::pressure(Exchanged<Node, NodeVelocity> nodes) {
  const real viscosity = terms_.settings.viscosity;
  solve_pressure();
  terms_.friction.compute(along_duals_);
  along_duals_ = residual_ - viscosity * along_duals_;
  pressure_.copy_from(solved_pressure_);
  if (is_total()) {
    to_walls_.velocity_at_centres(nodes, cells_);
    const auto p = pressure_.view();
    const auto u = std::as_const(cells_).view();
    forall(
        mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
          const Index<Cell> c{i};
          p[c] -= dot(u[c], u[c]) / 2;
        });
    terms_.pressure_system.closed_parts().remove_means(pressure_);
  }
  to_walls_.compute(pressure_, along_duals_, nodes, terms_.friction.viscosity_at_nodes(nodes), wall_pressure_);
  if (is_total()) to_walls_.add_kinetic_part(cells_, terms_.boundaries, terms_.time, wall_pressure_);
  copy_outlet_pressure(wall_pressure_);
  if (const FramePotential* const centrifugal = potential()) {
    centrifugal->add_to(pressure_);
    centrifugal->add_to(wall_pressure_);
  }
  return pressure_;
}

}  // namespace solenoid
