/// What the momentum of a step says of its pressure: on walls and openings, over periodic pairs, and in the cells.
#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/step/flow_step.hpp"

namespace solenoid {

/// on_cells_ = du/dt + convection of cells - force before the first step. Leaves what that starts from as it is; fluxes
/// that are given are taken for steady.
void FlowStep::initial_momentum() {
  if (has_convection_in_cells()) {
    Field<Edge> first_guess(mesh_);
    first_guess.copy_from(consistent_vorticity_);
    update_convection(Kept::no);
    consistent_vorticity_.copy_from(first_guess);
    forcing_.copy_from(convection_->now);
  } else {
    forcing_ = 0 * forcing_;
  }
  if (body_force_) add_body_force(time_);
  integrate(halo(forcing_), on_faces_);
  if (buoyancy_) on_faces_ = on_faces_ - buoyancy_->along_duals();
  add_pressures(on_faces_);
  if (rebuilt_) on_faces_ = on_faces_ + rebuilt_->forces();
  Field<Face> rate(mesh_);
  compute_rate(rate);
  interpolate(halo(rate), on_cells_);
  on_cells_ = on_cells_ + forcing_;
}

/// Of the last step.
void FlowStep::compute_acceleration() {
  if (is_acceleration_found_) return;
  if (dt_ == 0) {
    initial_momentum();
    acceleration_.copy_from(on_cells_);
  } else {
    acceleration_ = forcing_ + (scheme_.now / dt_) * state_.velocity + (scheme_.before / dt_) * velocity_old_ +
                    (scheme_.earlier / dt_) * velocity_older_;
  }
  if (buoyancy_) acceleration_ = acceleration_ - buoyancy_->in_cells();
  is_acceleration_found_ = true;
}

/// By viscosity, of the flow as it is.
void FlowStep::compute_friction(Field<Face>& along_faces) {
  if (face_average_) return face_average_->compute(halo(state_.velocity), along_faces);
  if (rebuilt_ && rebuilt_->has_friction()) return rebuilt_->compute_friction(halo(state_.flux), along_faces);
  along_faces = mesh_.C * halo(state_.vorticity);
  apply_face_mass(halo(along_faces), on_cells_, along_faces);
}

/// The momentum equation of the last step, but for its pressure.
void FlowStep::compute_residual() {
  if (is_residual_found_) return;
  compute_acceleration();
  if (buoyancy_) {
    on_cells_ = acceleration_ + buoyancy_->in_cells();
    integrate(halo(on_cells_), residual_);
    residual_ = residual_ - buoyancy_->along_duals();
  } else {
    integrate(halo(acceleration_), residual_);
  }
  if (rebuilt_) residual_ = residual_ + rebuilt_->forces();
  if (!rebuilt_ || !rebuilt_->has_friction() || rebuilt_->is_friction_implicit()) {
    compute_friction(on_faces_);
    residual_ = residual_ + settings_.viscosity * on_faces_;
  }
  is_residual_found_ = true;
}

/// h . r of what the last step's momentum leaves over but for the pressure in cells, with these drops over pairs.
real FlowStep::virtual_power(const PressureProbeFlux& flow, const std::vector<real>& drops) {
  compute_residual();
  real power = flow.power(residual_, given_pressure_);
  for (std::size_t k = 0; k < drops.size(); ++k) power -= drops[k] * flow.through_pairs()[k];
  return power;
}

std::vector<real> FlowStep::pressure_drops() {
  if (!has_driven_pairs()) return given_drops_;
  std::vector<real> powers;
  for (const PressureProbeFlux& flow : pair_pressure().flows()) powers.push_back(virtual_power(flow, given_drops_));
  std::vector<real> drops = pair_pressure().drops(powers);
  for (std::size_t k = 0; k < drops.size(); ++k) drops[k] += given_drops_[k];
  return drops;
}

const std::vector<Opening>& FlowStep::openings() {
  if (!openings_) {
    openings_ = find_openings(mesh_, boundaries_, pair_faces_, pressure_system(), settings_.pressure);
  }
  return *openings_;
}

std::vector<real> FlowStep::pressures_at_openings() {
  std::vector<real> means;
  const std::vector<real> drops = openings().empty() ? std::vector<real>() : pressure_drops();
  for (const Opening& opening : openings()) {
    if (const auto* const flow = std::get_if<PressureProbeFlux>(&opening.pressure)) {
      means.push_back(virtual_power(*flow, drops));
    } else {
      const PatchIntegral& outlet = std::get<PatchIntegral>(opening.pressure);
      means.push_back(outlet.of(&given_pressure_)[0] / outlet.area());
    }
  }
  return means;
}

void FlowStep::solve_pressure() {
  if (is_pressure_solved_) return;
  const std::vector<real> drops = pressure_drops();
  compute_residual();
  on_faces_.copy_from(residual_);
  boundary_faces_.add_pressure(on_faces_);
  pair_faces_.subtract(drops, on_faces_);
  compute_pressure();
  is_pressure_solved_ = true;
}

Field<Cell>& FlowStep::pressure(Exchanged<Node, NodeVelocity> nodes) {
  solve_pressure();
  compute_friction(on_faces_);
  on_faces_ = residual_ - settings_.viscosity * on_faces_;
  pressure_.copy_from(solved_pressure_);
  const bool is_total = settings_.convection == ConvectionForm::rotational;
  if (is_total) {
    to_walls_.velocity_at_centres(nodes, on_cells_);
    const auto p = pressure_.view();
    const auto u = std::as_const(on_cells_).view();
    forall(
        mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
          const Index<Cell> c{i};
          p[c] -= dot(u[c], u[c]) / 2;
        });
    pressure_system().closed_parts().remove_means(pressure_);
  }
  to_walls_.compute(pressure_, on_faces_, nodes, settings_.viscosity, wall_pressure_);
  if (is_total) to_walls_.add_kinetic_part(on_cells_, boundaries_, time_, wall_pressure_);
  boundary_faces_.copy_outlet_pressure(wall_pressure_);
  return pressure_;
}

PairPressure& FlowStep::pair_pressure() {
  if (!pair_pressure_) {
    record_setup(settings_.pressure, pressure_system().system());
    pair_pressure_.emplace(pressure_system(), pair_faces_, driven_pairs_, settings_.pressure);
  }
  return *pair_pressure_;
}

}  // namespace solenoid
