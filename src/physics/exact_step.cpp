#include "physics/exact_step.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "physics/quantum.hpp"

namespace solenoid {

ExactStep::ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                     const WideMesh* wide)
    : ExactStep(mesh, settings, std::move(boundaries), time, wide, p1_stiffness(require_planar(mesh))) {}

ExactStep::ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                     const WideMesh* wide, const MatrixRows& laplacian)
    : FlowStep(mesh, settings, std::move(boundaries), time, wide),
      laplacian_(laplacian),
      unknowns_(mesh, boundary_potential_.roles()),
      potential_system_(unknowns_, laplacian, settings.potential.preconditioner),
      implicit_(unknowns_, laplacian, laplacian_, potential_system_, Field<Edge>(mesh, p1_lumped_mass(mesh)),
                inverse_mass_),
      recovery_(mesh, boundary_faces_.is_open(), settings.pressure.preconditioner),
      potential_(mesh),
      potential_old_(mesh),
      offset_old_(mesh),
      right_side_(mesh),
      work_(mesh) {
  begin();
}

void ExactStep::find_circulation(Field<Edge>& circulation) { circulation = laplacian_ * halo(potential_); }

void ExactStep::project(Field<Face>& flux) {
  apply_face_mass(halo(flux), on_cells_, on_faces_);
  right_side_ = mesh_.R * halo(on_faces_) - laplacian_ * halo(offset_);
  potential_ = 0 * potential_;
  solve_for_potential(potential_);
  potential_ = potential_ + offset_;
  offset_old_.copy_from(offset_);
  round_to_quantum(potential_);
  state_.flux = mesh_.C * halo(potential_);
  update_flow();
}

/// L s = right_side_ at the unknowns; s on entry is the first guess. However loose the steps are: what they start from
/// is no change that later ones could mend.
void ExactStep::solve_for_potential(Field<Edge>& potential) {
  constexpr real loosest = sizeof(real) == sizeof(double) ? 1e-8 : 1e-5;
  unknowns_.restrict_to_unknowns(right_side_);
  SolveControl control = settings_.potential;
  control.tolerance = std::min(control.tolerance, loosest);
  record_setup(settings_.potential, potential_system_);
  solves_.record(settings_.potential, potential_system_.solve(right_side_, potential, control));
}

void ExactStep::build_systems() {
  record_setup(settings_.potential, potential_system_);
  FlowStep::build_systems();
  record_setup(settings_.pressure, recovery_.system());
  implicit_.reserve();
  recovery_.reserve();
}

/// For what the step adds to the potential: the solver's tolerance then counts against the change, and a flow that
/// hardly changes is not left as it is.
void ExactStep::solve_step(real dt) {
  const real alpha = scheme_.now / dt, nu = settings_.viscosity;
  const bool offset_changes = has_given_flow_ && boundaries_.velocity_depends_on_time();
  const auto offset_change = offset_ - offset_old_;
  if (offset_changes) {
    right_side_ = potential_ + offset_change;
  } else {
    right_side_.copy_from(potential_);
  }
  work_ = (scheme_.earlier / dt) * (potential_ - potential_old_) -
          nu * (inverse_mass_ * (laplacian_ * halo(right_side_) + circulation_.field()));
  if (offset_changes) work_ = work_ - alpha * offset_change;
  right_side_ = laplacian_ * halo(work_) - mesh_.R * halo(on_faces_);
  unknowns_.restrict_to_unknowns(right_side_);

  work_ = 0 * work_;  // where no step was before
  record_setup(settings_.potential, potential_system_);
  SolveControl control = settings_.potential;
  control.min_iterations = 1;  // no step is an extrapolation alone
  solves_.record(control, implicit_.solve(alpha, nu, right_side_, work_, control));
  std::swap(potential_old_, potential_);
  potential_ = potential_old_ + work_;
  if (offset_changes) {
    potential_ = potential_ + offset_change;
    offset_old_.copy_from(offset_);
  }
  round_to_quantum(potential_);
  state_.flux = mesh_.C * halo(potential_);
}

void ExactStep::take_back_flux() {
  potential_.copy_from(potential_old_);
  state_.flux = mesh_.C * halo(potential_);
}

/// L ds/dt = -R (convection - force) - nu L omega.
void ExactStep::find_rate(Field<Face>& rate) {
  work_ = -settings_.viscosity * state_.vorticity;
  right_side_ = laplacian_ * halo(work_) - mesh_.R * halo(on_faces_);
  Field<Edge> of_potential(mesh_);
  solve_for_potential(of_potential);
  rate = mesh_.C * halo(of_potential);
}

void ExactStep::find_pressure() {
  record_setup(settings_.pressure, recovery_.system());
  solves_.record(settings_.pressure, recovery_.recover(on_faces_, solved_pressure_, settings_.pressure));
}

void ExactStep::visit_state(StateVisitor& visitor) {
  FlowStep::visit_state(visitor);
  visitor.field("potential", potential_);
  visitor.field("potential_old", potential_old_);
  implicit_.visit_state(visitor);
  recovery_.visit_state(visitor);
}

void ExactStep::state_restored() {
  implicit_.state_restored();
  recovery_.state_restored();
  state_.flux = mesh_.C * halo(potential_);
  FlowStep::state_restored();
  offset_old_.copy_from(offset_);
}

}  // namespace solenoid
