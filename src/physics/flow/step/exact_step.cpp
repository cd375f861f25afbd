#include "physics/flow/step/exact_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// The mesh itself.
const LocalMesh& require_planar(const LocalMesh& mesh) {
  require_on_all_ranks(mesh.dimension() == 2,
                       [] { return "this exact step is for triangles: on tetrahedra it is ExactFluxStep"; });
  return mesh;
}

}  // namespace

ExactStep::ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                     const WideHaloMesh* wide)
    : ExactStep(mesh, settings, std::move(boundaries), time, wide, p1_stiffness(require_planar(mesh))) {}

ExactStep::ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                     const WideHaloMesh* wide, const MatrixRows& laplacian)
    : FlowStep(mesh, settings, std::move(boundaries), time, wide),
      given_(*prescribed_potential_),
      inverse_mass_(friction_.lumped_inverse_mass()),
      laplacian_(laplacian),
      unknowns_(mesh, given_.boundary.roles()),
      potential_system_(unknowns_, laplacian, settings.potential.preconditioner),
      implicit_(unknowns_, laplacian, laplacian_, near_inverse_of(potential_system_),
                Field<Edge>(mesh, p1_lumped_mass(mesh)), inverse_mass_,
                bound_of_rate(unknowns_, laplacian, Field<Edge>(mesh, p1_lumped_mass(mesh)))),
      recovery_(mesh, faces_.is_open(), settings.pressure.preconditioner),
      potential_(mesh),
      potential_old_(mesh),
      potential_begun_(mesh),
      offset_old_(mesh),
      right_side_(mesh),
      work_(mesh),
      free_jumps_(given_.jumps, given_.boundary, unknowns_, laplacian_, inverse_mass_),
      free_jumps_of_potential_(given_.jumps, given_.boundary, unknowns_, laplacian_, inverse_mass_),
      jumps_(given_.jumps.count(), 0),
      jumps_old_(jumps_) {
  require_on_all_ranks(
      !friction_.is_of_face_averages(),
      [] { return "the exact step has friction in rotational form alone: take the classical one"; },
      ExitCode::bad_input);
  begin();
}

void ExactStep::compute_circulation(Field<Edge>& circulation) {
  circulation = laplacian_ * halo(potential_);
  given_.jumps.add_circulations(jumps_, circulation);
}

/// U = C s and the fluxes of its jumps, both rounded to one grid spacing: D U = 0 in bits.
void ExactStep::set_flux() {
  real largest = max_magnitude(potential_);
  for (const real jump : jumps_) largest = std::max(largest, std::abs(jump));
  round_to_grid(largest, potential_);
  for (real& jump : jumps_) jump = rounded_to_grid(largest, jump);
  state_.flux = mesh_.C * halo(potential_);
  given_.jumps.add_fluxes(jumps_, state_.flux);
}

/// c_k . (M (C s + sum_j J_j c_j) - along_duals) for every pair k and way, where some jump is free.
std::vector<real> ExactStep::right_sides_of_jumps(const Field<Face>& along_duals, const Field<Edge>& potential,
                                                  const std::vector<real>& jumps) const {
  if (free_jumps_.empty()) return std::vector<real>(jumps.size(), 0);
  const std::vector<real> along = given_.jumps.products(along_duals);
  std::vector<real> result;
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    result.push_back(dot(given_.jumps.circulation(k), potential) - along[k]);
    for (std::size_t j = 0; j < jumps.size(); ++j) result[k] += given_.jumps.mass(k, j) * jumps[j];
  }
  return result;
}

void ExactStep::project(Field<Face>& flux) {
  Field<Cell, Vec3> velocity(mesh_);
  Field<Face> along_duals(mesh_);
  apply_face_mass(halo(flux), velocity, along_duals);
  work_.copy_from(given_.offset);
  right_side_ = mesh_.R * halo(along_duals) - laplacian_ * halo(work_);
  std::vector<real> given = given_.given_jumps;
  for (real& jump : given) jump = -jump;
  given_.jumps.add_circulations(given, right_side_);
  std::vector<real> of_jumps = right_sides_of_jumps(along_duals, given_.offset, given_.given_jumps);
  for (real& of_jump : of_jumps) of_jump = -of_jump;
  potential_ = 0 * potential_;
  jumps_ = given_.given_jumps;
  solve_for_potential(of_jumps, potential_, jumps_);
  potential_ = potential_ + given_.offset;
  offset_old_.copy_from(given_.offset);
  jumps_old_ = jumps_;
  set_flux();
  update_flow(Friction::Vorticity::anew);
}

/// L s = right_side_ at the unknowns, with unknown jumps that have right sides of their own; s on entry is the first
/// guess. Tight however loose the steps are: later steps could not mend an error of their start.
void ExactStep::solve_for_potential(const std::vector<real>& of_jumps, Field<Edge>& potential,
                                    std::vector<real>& jumps) {
  unknowns_.restrict_to_unknowns(right_side_);
  const SolveControl control = tightened(settings_.potential, tolerance::of_start);
  solves_.record_setup_once(settings_.potential, potential_system_);
  const auto solve = [&](const Field<Edge>& b, Field<Edge>& x) {
    solves_.record(settings_.potential, potential_system_.solve(b, x, control));
  };
  free_jumps_of_potential_.eliminate(1, 0, solve);
  solve(right_side_, potential);
  free_jumps_of_potential_.complete(right_side_, of_jumps, potential, jumps);
}

void ExactStep::build_systems() {
  solves_.record_setup_once(settings_.potential, potential_system_);
  FlowStep::build_systems();
  solves_.record_setup_once(settings_.pressure, recovery_.system());
  implicit_.reserve();
  recovery_.reserve();
}

/// The unknown is the increment of the potential: the solver's tolerance is relative to the change, and a flow that
/// hardly changes still advances.
void ExactStep::solve_step(real dt, Field<Face>& explicit_part) {
  const real alpha = scheme_.now / dt, nu = settings_.viscosity;
  const bool offset_changes = has_given_flow_ && boundaries_.velocity_depends_on_time();
  const auto offset_change = given_.offset - offset_old_;
  if (offset_changes) {
    right_side_ = potential_ + offset_change;
  } else {
    right_side_.copy_from(potential_);
  }
  std::vector<real> jumps = jumps_, of_past(jumps);  // the jumps' part of the bracket
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    const bool changes = offset_changes && given_.boundary.jump_is_given(static_cast<int>(k));
    if (changes) jumps[k] = given_.given_jumps[k];
    of_past[k] = (scheme_.earlier / dt) * (jumps_[k] - jumps_old_[k]) - alpha * (jumps[k] - jumps_[k]);
  }
  if (jumps.empty()) {
    work_ = (scheme_.earlier / dt) * (potential_ - potential_old_) -
            nu * (inverse_mass_ * (laplacian_ * halo(right_side_) + friction_.boundary_circulation()));
  } else {
    work_ = laplacian_ * halo(right_side_) + friction_.boundary_circulation();
    given_.jumps.add_circulations(jumps, work_);
    work_ = (scheme_.earlier / dt) * (potential_ - potential_old_) - nu * (inverse_mass_ * work_);
  }
  if (offset_changes) work_ = work_ - alpha * offset_change;
  right_side_ = laplacian_ * halo(work_) - mesh_.R * halo(explicit_part);
  given_.jumps.add_circulations(of_past, right_side_);
  unknowns_.restrict_to_unknowns(right_side_);
  std::vector<real> of_jumps = right_sides_of_jumps(explicit_part, work_, of_past);

  solves_.record_setup_once(settings_.potential, potential_system_);
  SolveControl control = settings_.potential;
  free_jumps_.eliminate(alpha, nu, [&](const Field<Edge>& b, Field<Edge>& x) {
    const SolveReport report =
        implicit_.solve_without_history(alpha, nu, b, x, tightened(control, tolerance::of_response));
    if (report.iterations > 0) solves_.record(control, report);
  });
  work_ = 0 * work_;           // the guess of the first step
  control.min_iterations = 1;  // no step is an extrapolation alone
  solves_.record(control, implicit_.solve(alpha, nu, right_side_, work_, control));
  free_jumps_.complete(right_side_, of_jumps, work_, jumps);
  std::swap(potential_begun_, potential_);
  jumps_begun_ = std::exchange(jumps_, std::move(jumps));
  potential_ = potential_begun_ + work_;
  if (offset_changes) {
    potential_ = potential_ + offset_change;
    offset_old_.copy_from(given_.offset);
  }
  if (!is_left_out_) {
    std::swap(potential_old_, potential_begun_);
    jumps_old_ = jumps_begun_;
  }
  set_flux();
}

void ExactStep::revert_flux() {
  potential_.copy_from(is_left_out_ ? potential_begun_ : potential_old_);
  jumps_ = jumps_begun_;
  set_flux();
}

/// L ds/dt = -R (convection - force) - nu L omega.
void ExactStep::compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& /*pressure*/) {
  work_ = -settings_.viscosity * state_.vorticity;
  right_side_ = laplacian_ * halo(work_) - mesh_.R * halo(explicit_part);
  Field<Edge> of_potential(mesh_);
  std::vector<real> of_jumps(jumps_.size(), 0);
  solve_for_potential(right_sides_of_jumps(explicit_part, work_, of_jumps), of_potential, of_jumps);
  rate = mesh_.C * halo(of_potential);
  given_.jumps.add_fluxes(of_jumps, rate);
}

void ExactStep::compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) {
  solves_.record_setup_once(settings_.pressure, recovery_.system());
  solves_.record(settings_.pressure, recovery_.recover(momentum, pressure, settings_.pressure));
}

/// C s and the fluxes of its jumps, of the prescribed ones.
void ExactStep::copy_prescribed_fluxes(Field<Face>& flux) {
  flux = mesh_.C * halo(given_.offset);
  given_.jumps.add_fluxes(given_.given_jumps, flux);
}

/// The fluxes follow from the potential; they are kept for another method, and for another boundary.
void ExactStep::visit_state(StateVisitor& visitor) {
  FlowStep::visit_state(visitor);
  has_flux_ = visitor.field("flux", state_.flux);
  has_potential_ = visitor.field("potential", potential_);
  visitor.field("potential_old", potential_old_);
  for (std::size_t k = 0; k < jumps_.size(); ++k) {
    visitor.number("jump_" + std::to_string(k), jumps_[k]);
    visitor.number("jump_old_" + std::to_string(k), jumps_old_[k]);
  }
  free_jumps_.visit_state(visitor);
  implicit_.visit_state(visitor);
  recovery_.visit_state(visitor);
}

void ExactStep::state_restored() {
  implicit_.state_restored();
  recovery_.state_restored();
  free_jumps_.state_restored();
  Field<Face> flux(mesh_);
  flux.copy_from(state_.flux);
  set_flux();
  const bool is_of_potential = !has_flux_ || max_magnitude(mesh_, flux - state_.flux) == 0;
  if (!is_of_potential) state_.flux.copy_from(flux);
  go_on(has_potential_ && is_of_potential ? Restored::all : has_flux_ ? Restored::fluxes : Restored::nothing);
  offset_old_.copy_from(given_.offset);
}

}  // namespace solenoid
