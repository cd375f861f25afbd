#include "physics/exact_step.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "operators/convection.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "physics/diagnostics.hpp"
#include "physics/quantum.hpp"

namespace solenoid {

namespace {

const LocalMesh& require_planar(const LocalMesh& mesh) {
  require_on_all_ranks(
      mesh.dimension() == 2, [] { return "the exact fractional step works on triangle meshes in this version"; },
      ExitCode::bad_input);
  return mesh;
}

/// W^-1, 0 on nodes of faces without vorticity.
std::vector<real> inverse_mass(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                               const std::vector<real>& lumped_mass) {
  std::vector<real> inverse;
  for (const real mass : lumped_mass) inverse.push_back(1 / mass);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!boundaries.is_without_vorticity(b.patch)) continue;
    for (const int n : mesh.part().face_nodes_of(b.face)) {
      if (n < mesh.owned<Node>()) inverse[n] = 0;
    }
  }
  return inverse;
}

/// Before the first solve: a system that is never solved is not in the log.
template <class L>
void record_setup(SolveLog& solves, const SolveControl& control, const LinearSystem<L>& system) {
  if (!solves.entries().contains(control.name)) {
    solves.record_setup(control, system.setup_seconds(), system.shape());
  }
}

}  // namespace

ExactStep::ExactStep(const LocalMesh& mesh, const ExactStepSettings& settings, FlowBoundaries boundaries, real time)
    : ExactStep(mesh, settings, std::move(boundaries), time, p1_stiffness(require_planar(mesh))) {}

ExactStep::ExactStep(const LocalMesh& mesh, const ExactStepSettings& settings, FlowBoundaries boundaries, real time,
                     const MatrixRows& laplacian)
    : mesh_(mesh),
      settings_(settings),
      boundaries_(std::move(boundaries)),
      time_(time),
      laplacian_(laplacian),
      boundary_faces_(mesh, boundaries_),
      boundary_potential_(mesh, boundaries_),
      unknowns_(mesh, boundary_potential_.roles()),
      all_nodes_(mesh, std::vector<int>(mesh.total<Edge>(), Space<Edge>::free)),
      inverse_mass_(mesh, inverse_mass(mesh, boundaries_, p1_lumped_mass(mesh))),
      potential_system_(unknowns_, laplacian, settings.potential.preconditioner),
      implicit_(unknowns_, laplacian, laplacian_, potential_system_, Field<Edge>(mesh, p1_lumped_mass(mesh)),
                inverse_mass_),
      past_vorticities_(all_nodes_),
      circulation_(mesh, boundary_faces_.is_open()),
      open_velocity_(mesh, boundary_faces_.is_open()),
      recovery_(mesh, boundary_faces_.is_open(), settings.pressure.preconditioner),
      state_(mesh),
      offset_(mesh),
      offset_change_(mesh),
      potential_old_(mesh),
      consistent_vorticity_(mesh),
      right_side_(mesh),
      work_(mesh),
      velocity_old_(mesh),
      velocity_older_(mesh),
      convection_(mesh),
      convection_old_(mesh),
      forcing_(mesh),
      on_faces_(mesh),
      on_cells_(mesh),
      pressure_(mesh),
      to_walls_(mesh),
      wall_pressure_(mesh) {
  require_on_all_ranks(
      settings_.convection != ConvectionForm::rotational || boundaries_.are_all_walls(),
      [] {
        return "rotational convection would hold the total pressure where a flow is open, not the pressure: take "
               "convection = \"central\"";
      },
      ExitCode::bad_input);
  if (settings_.convection == ConvectionForm::rotational) {
    vorticity_system_.emplace(all_nodes_, p1_mass(mesh), settings_.vorticity.preconditioner);
  } else if (settings_.convection != ConvectionForm::none) {
    momentum_.emplace(mesh);
  }
  if (boundary_faces_.has_open()) behind_outlets_.emplace(mesh);
  set_boundary(time_);
  update_flow();
}

void ExactStep::start_from_rest() {
  if (!has_given_flow_) return;
  Field<Face> at_rest(mesh_);
  project(at_rest);
}

/// What the boundary does at `time`.
void ExactStep::set_boundary(real time) {
  const Comm& comm = mesh_.comm();
  std::vector<std::array<Vec3, 2>> ends;
  comm.guard([&] {
    ends = sample_ends(mesh_, boundaries_, time);
    boundary_faces_.sample(time);
  });
  boundary_speed_ = largest_speed(comm, ends);
  comm.guard([&] {
    require_possible(mesh_, boundaries_, ends, boundary_speed_);
    circulation_.set(ends);
  });
  if (has_given_flow_ && !boundaries_.velocity_depends_on_time()) return;
  const std::vector<real>& fluxes = boundary_faces_.fluxes();
  const std::int64_t given = std::count_if(fluxes.begin(), fluxes.end(), [](real flux) { return flux != 0; });
  if (!has_given_flow_ && comm.sum(given) == 0) return;
  has_given_flow_ = true;
  const std::vector<real> offset = boundary_potential_.offsets(fluxes);
  offset_.from_host(std::span(offset).first(offset_.owned()));
}

void ExactStep::update_flow() {
  const auto s = halo(state_.potential);
  state_.flux = mesh_.C * s;
  interpolate(halo(state_.flux), state_.velocity);
  update_openings(state_.velocity);
  state_.vorticity = inverse_mass_ * (laplacian_ * s + circulation_.field());
}

/// Of the circulation the share of outlets, where the fluid moves like this inside.
void ExactStep::update_openings(Field<Cell, Vec3>& velocity) {
  if (!behind_outlets_) return;
  open_velocity_.find(halo(velocity), *behind_outlets_);
  circulation_.update(halo(*behind_outlets_));
}

/// What faces carry out of cells, or omega x u with the vorticity of the consistent mass: M_n omega = R M U + b.
void ExactStep::update_convection(Kept kept) {
  if (settings_.convection != ConvectionForm::rotational) {
    carry_momentum(state_.flux, halo(state_.velocity),
                   settings_.convection == ConvectionForm::upwind ? FaceVelocity::upwind : FaceVelocity::central,
                   *momentum_);
    boundary_faces_.carry_momentum(state_.flux, state_.velocity, *momentum_);
    divergence_convection(halo(*momentum_), convection_);
    return;
  }
  right_side_ = laplacian_ * halo(state_.potential) + circulation_.field();
  record_setup(solves_, settings_.vorticity, *vorticity_system_);
  const SolveReport report =
      kept == Kept::yes
          ? vorticity_system_->solve(right_side_, consistent_vorticity_, settings_.vorticity, past_vorticities_)
          : vorticity_system_->solve(right_side_, consistent_vorticity_, settings_.vorticity);
  solves_.record(settings_.vorticity, report);
  rotational_convection(halo(consistent_vorticity_), state_.velocity, convection_);
}

void ExactStep::project(Field<Face>& flux) {
  apply_face_mass(halo(flux), on_cells_, on_faces_);
  right_side_ = mesh_.R * halo(on_faces_) - laplacian_ * halo(offset_);
  state_.potential = 0 * state_.potential;
  solve_for_potential(state_.potential);
  state_.potential = state_.potential + offset_;
  round_to_quantum(state_.potential);
  update_flow();
}

/// L s = right_side_ at the unknowns; s on entry is the first guess. However loose the steps are: what they start from
/// is no change that later ones could mend.
void ExactStep::solve_for_potential(Field<Edge>& potential) {
  constexpr real loosest = sizeof(real) == sizeof(double) ? 1e-8 : 1e-5;
  unknowns_.restrict_to_unknowns(right_side_);
  SolveControl control = settings_.potential;
  control.tolerance = std::min(control.tolerance, loosest);
  record_setup(solves_, settings_.potential, potential_system_);
  solves_.record(settings_.potential, potential_system_.solve(right_side_, potential, control));
}

void ExactStep::add_body_force(real time) {
  const std::span centres(mesh_.geometry().cell_centre);
  on_cells_.from_host(body_force_->at(centres.first(mesh_.owned<Cell>()), time));
  forcing_ = forcing_ - on_cells_;
}

void ExactStep::build_systems() {
  record_setup(solves_, settings_.potential, potential_system_);
  if (vorticity_system_) record_setup(solves_, settings_.vorticity, *vorticity_system_);
  record_setup(solves_, settings_.pressure, recovery_.system());
  if (vorticity_system_) past_vorticities_.reserve();
  implicit_.reserve();
  recovery_.reserve();
}

void ExactStep::advance(real dt) {
  scheme_ = time_coefficients(settings_.scheme, dt, dt_);
  const real alpha = scheme_.now / dt, nu = settings_.viscosity;

  // What the momentum equation knows before the step: extrapolated convection, minus the force.
  if (settings_.convection != ConvectionForm::none) {
    std::swap(convection_old_, convection_);
    update_convection(Kept::yes);
  }
  forcing_ = scheme_.recent * convection_ + scheme_.older * convection_old_;
  work_.copy_from(offset_);
  if (boundaries_.depends_on_time()) set_boundary(time_ + dt);
  if (body_force_) add_body_force(time_ + dt);

  // For what the step adds to the potential: the solver's tolerance then counts against the change, and a flow that
  // hardly changes is not left as it is.
  integrate(halo(forcing_), on_faces_);
  boundary_faces_.add_pressure(on_faces_);
  if (behind_outlets_) {
    const real older = std::max(scheme_.older, real{-1});  // of steps that grow no more: it would not be stable
    on_cells_ = (1 - older) * state_.velocity + older * velocity_old_;
    update_openings(on_cells_);
  }
  offset_change_ = offset_ - work_;
  right_side_ = state_.potential + offset_change_;
  work_ = (scheme_.earlier / dt) * (state_.potential - potential_old_) - alpha * offset_change_ -
          nu * (inverse_mass_ * (laplacian_ * halo(right_side_) + circulation_.field()));
  right_side_ = laplacian_ * halo(work_) - mesh_.R * halo(on_faces_);
  unknowns_.restrict_to_unknowns(right_side_);

  work_ = 0 * work_;  // where no step was before
  record_setup(solves_, settings_.potential, potential_system_);
  SolveControl control = settings_.potential;
  control.min_iterations = 1;  // no step is an extrapolation alone
  solves_.record(control, implicit_.solve(alpha, nu, right_side_, work_, control));
  std::swap(potential_old_, state_.potential);
  state_.potential = potential_old_ + work_ + offset_change_;
  round_to_quantum(state_.potential);

  velocity_older_.copy_from(velocity_old_);
  velocity_old_.copy_from(state_.velocity);
  update_flow();
  time_ += dt;
  dt_ = dt;
}

void ExactStep::take_back_step() {
  state_.potential.copy_from(potential_old_);
  time_ -= dt_;
  if (boundaries_.depends_on_time()) set_boundary(time_);
  update_flow();
}

/// on_cells_ = du/dt + convection - force before the first step, with L ds/dt = -R (convection - force) - nu L omega.
/// Leaves what the first step starts from as it is; fluxes that are given are taken for steady.
void ExactStep::initial_momentum() {
  if (settings_.convection != ConvectionForm::none) {
    Field<Edge> first_guess(mesh_);
    first_guess.copy_from(consistent_vorticity_);
    update_convection(Kept::no);
    consistent_vorticity_.copy_from(first_guess);
  }
  forcing_.copy_from(convection_);
  if (body_force_) add_body_force(time_);
  integrate(halo(forcing_), on_faces_);
  boundary_faces_.add_pressure(on_faces_);
  work_ = -settings_.viscosity * state_.vorticity;
  right_side_ = laplacian_ * halo(work_) - mesh_.R * halo(on_faces_);
  Field<Edge> rate(mesh_);
  solve_for_potential(rate);
  on_faces_ = mesh_.C * halo(rate);
  interpolate(halo(on_faces_), on_cells_);
  on_cells_ = on_cells_ + forcing_;
}

Field<Cell>& ExactStep::pressure(Exchanged<Node, NodeVelocity> nodes) {
  if (dt_ == 0) {
    initial_momentum();
  } else {
    on_cells_ = forcing_ + (scheme_.now / dt_) * state_.velocity + (scheme_.before / dt_) * velocity_old_ +
                (scheme_.earlier / dt_) * velocity_older_;
  }
  integrate(halo(on_cells_), on_faces_);
  Field<Face> inertia(mesh_), curl(mesh_), friction(mesh_);
  inertia.copy_from(on_faces_);
  curl = mesh_.C * halo(state_.vorticity);
  apply_face_mass(halo(curl), on_cells_, friction);
  on_faces_ = on_faces_ + settings_.viscosity * friction;
  boundary_faces_.add_pressure(on_faces_);
  record_setup(solves_, settings_.pressure, recovery_.system());
  solves_.record(settings_.pressure, recovery_.solve(on_faces_, pressure_, settings_.pressure));
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
    remove_mean(pressure_);
  }
  to_walls_.find(pressure_, inertia, nodes, settings_.viscosity, wall_pressure_);
  if (is_total) to_walls_.add_kinetic_part(on_cells_, boundaries_, time_, wall_pressure_);
  boundary_faces_.take_pressure(wall_pressure_);
  return pressure_;
}

/// What the next step, its pressure() and its rate_of_change() take from those before.
void ExactStep::visit_state(StateVisitor& visitor) {
  visitor.number("time", time_);
  visitor.number("dt", dt_);
  visitor.field("potential", state_.potential);
  visitor.field("potential_old", potential_old_);
  visitor.field("velocity_old", velocity_old_);
  visitor.field("convection", convection_);
  visitor.field("consistent_vorticity", consistent_vorticity_);
  visitor.field("pressure", pressure_);
  visitor.past("past_vorticity", past_vorticities_);
  implicit_.visit_state(visitor);
  recovery_.visit_state(visitor);
}

void ExactStep::state_restored() {
  if (vorticity_system_) vorticity_system_->renew_images(past_vorticities_);
  implicit_.state_restored();
  recovery_.state_restored();
  set_boundary(time_);
  update_flow();
}

real ExactStep::rate_of_change() const {
  return solenoid::rate_of_change(state_.velocity, velocity_old_, dt_, boundary_speed_);
}

}  // namespace solenoid
