#include "physics/flow/step/flow_step.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "model/model.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/zones/zone_findings.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// With the forms that are left to the boundary and the mesh, and the log of the solvers.
FlowStepSettings resolved(FlowStepSettings settings, const LocalMesh& mesh, const FlowBoundaries& boundaries,
                          SolveLog& solves) {
  const bool is_planar = mesh.dimension() == 2;
  if (settings.diffusion == DiffusionForm::automatic) {
    settings.diffusion = settings.viscosity_varies() || settings.eddies                   ? DiffusionForm::stress
                         : is_planar || settings.convection == ConvectionForm::rotational ? DiffusionForm::rotational
                                                                                          : DiffusionForm::stress;
  }
  if (settings.convection == ConvectionForm::automatic) {
    const bool is_between_walls = boundaries.are_all_walls() && mesh.part().pairs.empty();
    const bool is_rebuilt = settings.diffusion == DiffusionForm::stress;
    settings.convection = settings.has_rotating_zone()                   ? ConvectionForm::divergence
                          : is_planar && is_between_walls && !is_rebuilt ? ConvectionForm::rotational
                          : is_rebuilt && !is_planar                     ? ConvectionForm::skew
                                                                         : ConvectionForm::divergence;
  }
  for (SolveControl* const control : {&settings.potential, &settings.pressure, &settings.momentum, &settings.vorticity})
    *control = recorded_in(solves, *control);
  return settings;
}

std::optional<StreamFunction> stream_function_in_plane(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                                                       PreconditionerKind preconditioner) {
  if (mesh.dimension() != 2) return std::nullopt;
  return std::optional<StreamFunction>(std::in_place, mesh, boundaries, preconditioner);
}

/// Whether what takes no energy is extrapolated from three times: where convection is, or there is none.
bool takes_three(const FlowStepSettings& settings, const CellConvection& convection, const Friction& friction) {
  return settings.convection == ConvectionForm::none || convection.takes_three() || friction.takes_three();
}

void require_forms_of_zones(const FlowStepSettings& settings) {
  const ConvectionForm form = settings.convection;
  require_on_all_ranks(
      form == ConvectionForm::divergence || form == ConvectionForm::central || form == ConvectionForm::upwind,
      [] {
        return "zones that turn take convection = \"divergence\", \"central\" or \"upwind\": no other form has "
               "momentum fluxes that differ between a zone and what is around it";
      },
      ExitCode::bad_input);
}

std::optional<FrameForces> frame_forces(const LocalMesh& mesh, const FlowStepSettings& settings,
                                        const PressureSystem& pressure) {
  if (!settings.frame) return std::nullopt;
  return std::optional<FrameForces>(std::in_place, mesh, *settings.frame, pressure.closed_parts());
}

}  // namespace

FlowStep::FlowStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                   const WideHaloMesh* wide)
    : mesh_(mesh),
      settings_(resolved(settings, mesh, boundaries, solves_)),
      given_boundaries_(std::move(boundaries)),
      boundaries_(given_boundaries_),
      time_(time),
      faces_(mesh, boundaries_),
      pairs_(mesh, boundaries_),
      outlets_(mesh, boundaries_),
      pressure_system_(mesh, faces_.is_open(), settings.pressure.preconditioner),
      tree_(mesh, boundaries_),
      given_(mesh, boundaries_, tree_),
      stream_function_(stream_function_in_plane(mesh, boundaries_, settings.potential.preconditioner)),
      state_(mesh),
      flux_old_(mesh),
      flux_(mesh),
      velocity_old_(mesh),
      velocity_older_(mesh),
      friction_(mesh, settings_, boundaries_, faces_, wide, state_),
      drag_(settings_.has_porous_zone() ? std::make_optional<PorousDrag>(mesh, settings_) : std::nullopt),
      boundary_places_(places_on_boundary(mesh)),
      convection_(mesh, settings_, boundaries_, faces_, wide, CellConvection::Past::kept),
      recycled_(mesh, wide, boundaries_),
      forces_(mesh, settings_.zones, time),
      wall_stress_(mesh, boundaries_, settings_.viscosity),
      frame_(frame_forces(mesh, settings_, pressure_system_)),
      rotating_(settings_.has_rotating_zone()
                    ? std::optional<RotatingZones>(std::in_place, mesh, settings_, given_boundaries_,
                                                   pressure_system_.closed_parts(), wide)
                    : std::nullopt),
      forcing_(mesh),
      explicit_part_(mesh),
      balance_(mesh, *this,
               {settings_, boundaries_, faces_, pairs_, outlets_, pressure_system_, state_, friction_,
                drag_ ? &*drag_ : nullptr, convection_, forces_, wall_stress_, frame_ ? &*frame_ : nullptr,
                rotating_ ? &*rotating_ : nullptr, forcing_, time_}) {
  if (!rotating_) return;
  require_forms_of_zones(settings_);
  require_whole_bodies(settings_.zones, mesh);
  convection_.set_zones(*rotating_);
  if (drag_) drag_->turn_with(rotating_->solid_velocity());
  if (friction_.has_vorticity()) {
    friction_.add_circulation(rotating_->missing_circulation(friction_.lumped_inverse_mass()));
  }
}
FlowStep::~FlowStep() = default;

void FlowStep::begin(real tolerance_of_pairs) {
  tolerance_of_pairs_ = tolerance_of_pairs;
  set_boundary(time_);
  update_flow(Friction::Vorticity::anew);
}

void FlowStep::start_from_rest() {
  if (!has_given_flow_ && !outlets_.has_given_fluxes()) return outlets_.begin(outlets_.faces().sum(state_.flux));
  Field<Face> at_rest(mesh_);
  project(at_rest);
}

/// The boundary at `time`.
void FlowStep::set_boundary(real time) {
  const Comm& comm = mesh_.comm();
  if (settings_.scales_inlets) boundaries_ = faces_.balanced(given_boundaries_, time);
  comm.guard([&] {
    faces_.sample(time);
    boundary_velocity_ = sample_velocity(boundaries_, boundary_places_, time);
    pairs_.sample(time);
  });
  outlets_.sample(time, faces_.fluxes());
  boundary_pressure_ = faces_.largest_pressure();
  boundary_speed_ =
      std::max({largest_speed(comm, boundary_velocity_), outlets_.largest_speed(), drag_ ? drag_->largest_speed() : 0});
  comm.guard([&] {
    require_possible(mesh_, boundaries_, boundary_velocity_, boundary_speed_);
    friction_.set(boundary_velocity_);
    convection_.sample(time);
    if (rotating_) rotating_->sample(time);
  });
  if (has_given_flow_ && !boundaries_.velocity_depends_on_time()) return;
  const std::vector<real>& fluxes = faces_.fluxes();
  const auto is_not_none = [](real flux) { return flux != 0; };
  const EdgeIntegrals& circulations = faces_.circulations();
  const std::int64_t given =
      std::count_if(fluxes.begin(), fluxes.end(), is_not_none) +
      std::count_if(circulations.begin(), circulations.end(), [](const auto& along) { return along.has_value(); }) +
      std::count_if(pairs_.fluxes().begin(), pairs_.fluxes().end(), is_not_none);
  if (!has_given_flow_ && comm.sum(given) == 0) return;
  has_given_flow_ = true;
  if (stream_function_) stream_function_->set(fluxes, faces_.running_sums(), circulations, pairs_.fluxes());
  if (stream_function_ && !stream_function_->has_jumps()) {
    given_.set(stream_function_->ends());
  } else {
    given_.set(fluxes, faces_.running_sums(), circulations);
  }
}

void FlowStep::update_flow(Friction::Vorticity vorticity) {
  balance_.flow_changed();
  interpolate(halo(state_.flux), state_.velocity);
  compute_circulation(friction_.circulation());
  friction_.update(vorticity, is_left_out_);
}

real FlowStep::power_of_walls() {
  if (dt_ == 0) wall_stress_.set(state_.velocity);
  return wall_stress_.power(state_.velocity);
}

Field<Edge>& FlowStep::stream_function() {
  require_on_all_ranks(stream_function_.has_value(), [] { return "a flow has a stream function in the plane alone"; });
  Field<Face> along_duals(mesh_);
  integrate(halo(state_.velocity), along_duals);
  SolveControl control = tightened(settings_.potential, tolerance::of_start);
  control.name = "stream_function";  // apart from the solves of steps
  control.shown_tolerance = control.tolerance;
  control.max_iterations = std::max(control.max_iterations, 10000);
  return stream_function_->compute(along_duals, control);
}

void FlowStep::build_systems() {
  pressure_system_.reserve();
  balance_.build_systems();
  convection_.build_systems();
}

void FlowStep::advance(real dt) {
  scheme_ = time_coefficients(settings_.scheme, dt, history_.span);
  if (!history_.leaves_out(dt) && friction_.choose_implicit(dt)) implicit_friction_changed();
  friction_.choose_stabiliser(dt);
  compute_explicit_part(dt);
  std::vector<real> at_outlets;
  step_or_undo(
      [&] {
        const bool has_viscosity = friction_.expect_viscosity(flux_old_), has_drag = expect_drag();
        if (has_viscosity) {
          viscosity_changed();
        } else if (has_drag) {
          implicit_friction_changed();
        }
        at_outlets = solve_step(dt, explicit_part_);
      },
      [&] {
        friction_.revert_viscosity();
        if (drag_) drag_->revert(friction_.relative_viscosity());
        if (boundaries_.depends_on_time()) set_boundary(time_);
      });
  std::swap(state_.flux, flux_);
  if (!is_left_out_) std::swap(flux_old_, flux_);
  outlets_.advance(scheme_, dt, std::move(at_outlets), outlets_.faces().sum(state_.flux), is_left_out_);
  velocity_older_.copy_from(velocity_old_);
  velocity_old_.copy_from(state_.velocity);
  update_flow(dt_ > 0 ? Friction::Vorticity::after_step : Friction::Vorticity::after_first_step);
  time_ += dt;
  dt_ = dt;
  history_.add(dt);
}

/// The drag of zones on the flow as it is, and its linearisation there. Returns whether it is another one.
bool FlowStep::expect_drag() {
  return drag_ && drag_->expect(state_.velocity, friction_.relative_viscosity(), friction_.implicit_viscosity());
}

/// Momentum that is known before the step: extrapolated convection and friction, forces, prescribed pressures.
void FlowStep::compute_explicit_part(real dt) {
  if (is_left_out_) {
    std::swap(velocity_old_, velocity_older_);
  } else {
    convection_.shift();
  }
  is_left_out_ = history_.leaves_out(dt);
  convection_.update(state_, friction_.circulation(), CellConvection::Kept::yes);
  const LastSteps steps = last_steps(dt);
  convection_.extrapolate(scheme_, steps, forcing_);
  recycled_.take(state_.flux, time_, time_ + dt);
  if (boundaries_.depends_on_time()) set_boundary(time_ + dt);
  forces_.subtract_from(forcing_, {state_.velocity, velocity_old_, scheme_.older}, time_ + dt);
  if (wall_stress_.is_there()) {
    wall_stress_.extrapolate(scheme_, state_.velocity, velocity_old_);
    wall_stress_.add_to(forcing_);
  }
  if (frame_) {
    const Extrapolation expected = takes_three(settings_, convection_, friction_)
                                       ? damping_extrapolation(scheme_, steps, false)
                                       : Extrapolation{scheme_.recent, scheme_.older};
    frame_->extrapolate(expected, state_.velocity, velocity_old_, velocity_older_);
    frame_->add_to(forcing_);
  }
  if (convection_.is_there() || forces_.has_force() || wall_stress_.is_there() || frame_) {
    integrate(halo(forcing_), explicit_part_);
  } else {
    explicit_part_ = 0 * explicit_part_;
  }
  add_forces_along_duals(explicit_part_);
  friction_.extrapolate(scheme_, steps, is_left_out_, explicit_part_);
  if (boundaries_.depends_on_time()) set_unexpected_boundary();
  friction_.extrapolate_openings(scheme_, velocity_old_);
}

/// That before the history is not known after one that was left out.
LastSteps FlowStep::last_steps(real dt) const {
  return {dt, history_.span, history_.left_out > 0 ? 0 : history_.before};
}

/// Buoyancy, the pressure of outlets, the drops over periodic pairs, and the jumps at zones that turn.
void FlowStep::add_forces_along_duals(Field<Face>& along_duals) const {
  forces_.subtract_buoyancy_from(along_duals);
  faces_.add_pressure(outlets_.now_by_patch(), along_duals);
  pairs_.faces().subtract(pairs_.drops(), along_duals);
  if (rotating_) rotating_->add_jumps(along_duals);
}

/// Velocity at boundary_places_.
std::vector<Vec3> FlowStep::boundary_velocity(real time) const {
  const FlowBoundaries at = settings_.scales_inlets ? faces_.balanced(given_boundaries_, time) : boundaries_;
  std::vector<Vec3> velocity;
  mesh_.comm().guard([&] { velocity = sample_velocity(at, boundary_places_, time); });
  return velocity;
}

/// The prescribed velocity at the end of the step less the expected one, for the implicit friction.
void FlowStep::set_unexpected_boundary() {
  if (!friction_.needs_unexpected_boundary()) return;
  const auto [recent, older, oldest] = friction_.expected();
  std::vector<Vec3> unexpected = boundary_velocity_;
  const auto subtract = [&](real weight, real time) {
    if (weight == 0) return;
    const std::vector<Vec3> at = boundary_velocity(time);
    for (std::size_t k = 0; k < unexpected.size(); ++k) unexpected[k] -= weight * at[k];
  };
  subtract(recent, time_);
  subtract(older, time_ - history_.span);
  subtract(oldest, time_ - history_.span - history_.before);
  mesh_.comm().guard([&] { friction_.set_unexpected(unexpected); });
}

/// Before the first step: of the flow as it begins, with steady prescribed fluxes.
void FlowStep::compute_acceleration(Field<Cell, Vec3>& acceleration, Field<Cell>& pressure) {
  if (dt_ > 0) {
    acceleration = forcing_ + (scheme_.now / dt_) * state_.velocity + (scheme_.before / dt_) * velocity_old_ +
                   (scheme_.earlier / dt_) * velocity_older_;
    return;
  }
  if (expect_drag()) implicit_friction_changed();
  convection_.update_at_start(state_, friction_.circulation());
  if (convection_.is_there()) {
    forcing_.copy_from(convection_.now());
  } else {
    forcing_ = 0 * forcing_;
  }
  forces_.subtract_from(forcing_, {state_.velocity, state_.velocity, 0}, time_);
  wall_stress_.set(state_.velocity);
  wall_stress_.add_to(forcing_);
  if (frame_) {
    frame_->set(state_.velocity);
    frame_->add_to(forcing_);
  }
  Field<Face> explicit_part(mesh_), rate(mesh_);
  integrate(halo(forcing_), explicit_part);
  add_forces_along_duals(explicit_part);
  friction_.add_rebuilt(explicit_part);
  compute_rate(explicit_part, rate, pressure);
  interpolate(halo(rate), acceleration);
  acceleration = acceleration + forcing_;
}

void FlowStep::revert_step() {
  state_.flux.copy_from(is_left_out_ ? flux_ : flux_old_);
  outlets_.revert();
  time_ -= dt_;
  if (boundaries_.depends_on_time()) set_boundary(time_);
  update_flow(Friction::Vorticity::anew);
  expect_drag();
}

/// The parts of previous steps that the next step, its balance and its rate_of_change() read.
void FlowStep::visit_state(StateVisitor& visitor) {
  visitor.number("time", time_);
  visitor.number("dt", dt_);
  visitor.number("history_span", history_.span);
  visitor.number("history_left_out", history_.left_out);
  visitor.number("history_before", history_.before);
  visitor.number("steps_left_out", history_.steps_left_out);
  visitor.flag("is_left_out", is_left_out_);
  friction_.visit_steps(visitor);
  has_flux_ = visitor.field("flux", state_.flux);
  has_flux_old_ = visitor.field("flux_old", flux_old_);
  outlets_.visit_state(visitor);
  pressure_system_.visit_state(visitor);
  visitor.field("velocity_old", is_left_out_ ? velocity_older_ : velocity_old_);
  const bool has_older = !is_left_out_ && history_.before > 0;
  const bool reads_older = friction_.takes_three() || (frame_ && takes_three(settings_, convection_, friction_));
  if (reads_older && has_older && !visitor.field("velocity_older", velocity_older_)) {
    history_.before = 0;  // of a program that kept no more
  }
  convection_.visit_state(visitor, is_left_out_);
  if (convection_.takes_three() && has_older && !convection_.visit_older(visitor)) history_.before = 0;
  balance_.visit_state(visitor);
  convection_.visit_guesses(visitor);
  if (rotating_) rotating_->visit_state(visitor);
  friction_.visit_state(visitor);
  if (drag_) drag_->visit_state(visitor);
  if (stream_function_) stream_function_->visit_state(visitor);
  recycled_.visit_state(visitor);
}

real FlowStep::rate_of_change() const {
  return solenoid::rate_of_change(state_.velocity, velocity_old_, dt_, boundary_speed_);
}

}  // namespace solenoid
