#include "physics/flow/step/flow_step.hpp"

#include <algorithm>

#include "base/place.hpp"
#include "field/assign.hpp"
#include "operators/convection.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "physics/flow/momentum/diagnostics.hpp"

namespace solenoid {

namespace {

/// Without what is left to the boundary and the mesh.
FlowStepSettings resolved(FlowStepSettings settings, const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  const bool is_planar = mesh.dimension() == 2;
  if (settings.diffusion == DiffusionForm::automatic) {
    settings.diffusion = is_planar || settings.convection == ConvectionForm::rotational ? DiffusionForm::rotational
                                                                                        : DiffusionForm::stress;
  }
  if (settings.convection == ConvectionForm::automatic) {
    const bool is_between_walls = boundaries.are_all_walls() && mesh.part().pairs.empty();
    settings.convection = is_planar && is_between_walls                 ? ConvectionForm::rotational
                          : settings.diffusion == DiffusionForm::stress ? ConvectionForm::skew
                                                                        : ConvectionForm::divergence;
  }
  return settings;
}

}  // namespace

FlowStep::FlowStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                   const WideHaloMesh* wide)
    : mesh_(mesh),
      settings_(resolved(settings, mesh, boundaries)),
      boundaries_(std::move(boundaries)),
      form_of_convection_(static_cast<int>(settings_.convection)),
      time_(time),
      boundary_faces_(mesh, boundaries_),
      pair_faces_(mesh),
      edge_vorticity_(mesh, boundaries_,
                      has_vorticity() ? EdgeVorticity::Finds::vorticity : EdgeVorticity::Finds::nothing),
      circulation_(mesh, boundary_faces_.is_open()),
      state_(mesh),
      prescribed_fluxes_(pair_faces_.count(), 0),
      on_faces_(mesh),
      on_cells_(mesh),
      solved_pressure_(mesh),
      given_drops_(pair_faces_.count(), 0),
      all_edges_(mesh, std::vector<int>(mesh.total<Edge>(), Space<Edge>::free)),
      past_vorticities_(all_edges_),
      open_velocity_(mesh, boundary_faces_.is_open()),
      rotation_(mesh),
      consistent_vorticity_(mesh),
      velocity_old_(mesh),
      velocity_older_(mesh),
      forcing_(mesh),
      acceleration_(mesh),
      residual_(mesh),
      pressure_(mesh),
      to_walls_(mesh),
      wall_pressure_(mesh),
      given_pressure_(mesh),
      tractions_(mesh),
      surface_gradient_(mesh, boundaries_) {
  const bool is_planar = mesh.dimension() == 2;
  if (is_planar) prescribed_potential_.emplace(mesh, boundaries_);
  require_on_all_ranks(
      !RebuiltForces::is_asked_for(settings_) || !is_planar,
      [] {
        return "diffusion = \"stress\" and convection = \"skew\" are for tetrahedra: take \"rotational\" and "
               "\"divergence\"";
      },
      ExitCode::bad_input);
  require_on_all_ranks(
      settings_.upwind == 0 || settings_.convection == ConvectionForm::skew,
      [] {
        return "upwind is what jumps take of the energy with convection = \"skew\", on tetrahedra: take that, or 0";
      },
      ExitCode::bad_input);
  require_on_all_ranks(
      has_vorticity() || settings_.convection != ConvectionForm::rotational,
      [] {
        return "rotational convection takes a vorticity, which diffusion = \"stress\" has none of: take convection = "
               "\"skew\"";
      },
      ExitCode::bad_input);
  require_on_all_ranks(
      settings_.convection != ConvectionForm::rotational || boundaries_.are_all_walls(),
      [] {
        return "rotational convection would hold the total pressure where a flow is open, not the pressure: take "
               "convection = \"divergence\"";
      },
      ExitCode::bad_input);
  if (has_convection_in_cells()) {
    convection_.emplace(OfCells{Field<Cell, Vec3>(mesh), Field<Cell, Vec3>(mesh)});
  }
  if (settings_.convection == ConvectionForm::rotational) {
    if (is_planar) vorticity_system_.emplace(all_edges_, p1_mass(mesh), settings_.vorticity.preconditioner);
  } else if (has_convection_in_cells()) {
    momentum_.emplace(mesh);
  }
  if (settings_.convection == ConvectionForm::divergence && is_planar) {
    require_on_all_ranks(wide, [] { return "convection of third order takes a mesh with a wider halo"; });
    third_order_.emplace(mesh, *wide, boundaries_);
  }
  if (settings_.diffusion == DiffusionForm::face_average) {
    face_average_.emplace(mesh, boundaries_);
    of_face_averages_.emplace(ImplicitFriction{*face_average_});
  }
  if (RebuiltForces::is_asked_for(settings_)) {
    require_on_all_ranks(wide, [] { return "rebuilt velocities take a mesh with a wider halo"; });
    rebuilt_.emplace(mesh, *wide, boundaries_, settings_);
  }
  if (boundary_faces_.has_open() && has_vorticity()) behind_outlets_.emplace(mesh);
  for (std::size_t k = 0; k < pair_faces_.count(); ++k) {
    if (boundaries_.drive(static_cast<int>(k)).flux) driven_pairs_.push_back(k);
  }
}
FlowStep::~FlowStep() = default;

void FlowStep::begin() {
  set_boundary(time_);
  update_flow(Vorticity::anew);
}

void FlowStep::start_from_rest() {
  if (!has_given_flow_) return;
  Field<Face> at_rest(mesh_);
  project(at_rest);
}

/// What the boundary does at `time`.
void FlowStep::set_boundary(real time) {
  const Comm& comm = mesh_.comm();
  std::vector<Vec3> velocity;
  if (boundaries_.scales_inlets()) {
    boundary_faces_.balance_inlets(time);
  } else {
    comm.guard([&] { boundary_faces_.sample(time); });
  }
  comm.guard([&] {
    velocity = sample_boundary(mesh_, boundaries_, time);
    sample_drives(time);
  });
  if (boundary_faces_.has_open()) boundary_faces_.copy_outlet_pressure(given_pressure_);
  boundary_pressure_ = boundary_faces_.largest_pressure();
  boundary_speed_ = largest_speed(comm, velocity);
  comm.guard([&] {
    require_possible(mesh_, boundaries_, velocity, boundary_speed_);
    circulation_.set(velocity);
    surface_gradient_.set(velocity);
    if (face_average_) face_average_->set(velocity);
    if (rebuilt_) rebuilt_->set(velocity);
    if (third_order_) third_order_->sample(time);
  });
  if (has_given_flow_ && !boundaries_.velocity_depends_on_time()) return;
  const std::vector<real>& fluxes = boundary_faces_.fluxes();
  const auto is_not_none = [](real flux) { return flux != 0; };
  const std::int64_t given = std::count_if(fluxes.begin(), fluxes.end(), is_not_none) +
                             std::count_if(prescribed_fluxes_.begin(), prescribed_fluxes_.end(), is_not_none);
  if (!has_given_flow_ && comm.sum(given) == 0) return;
  has_given_flow_ = true;
  if (prescribed_potential_) prescribed_potential_->set(fluxes, prescribed_fluxes_);
  set_prescribed_fluxes();
}

/// What drives the flow through periodic pairs at `time`.
void FlowStep::sample_drives(real time) {
  for (std::size_t k = 0; k < pair_faces_.count(); ++k) {
    const PairDrive& drive = boundaries_.drive(static_cast<int>(k));
    if (drive.flux) prescribed_fluxes_[k] = drive.flux->at(Vec3{}, time);
    if (drive.drop) given_drops_[k] = drive.drop->at(Vec3{}, time);
  }
}

/// Of outlets and periodic pairs what is given, along the duals.
void FlowStep::add_pressures(Field<Face>& along_faces) const {
  boundary_faces_.add_pressure(along_faces);
  pair_faces_.subtract(given_drops_, along_faces);
}

void FlowStep::update_flow(Vorticity vorticity) {
  is_acceleration_found_ = false;
  is_residual_found_ = false;
  is_pressure_solved_ = false;
  interpolate(halo(state_.flux), state_.velocity);
  compute_circulation(rotation_);
  if (rebuilt_ && vorticity == Vorticity::kept) {
    rebuilt_->restart_from(halo(state_.flux));
  } else if (rebuilt_) {
    rebuilt_->update(halo(state_.flux), is_left_out_);
  }
  if (!has_vorticity()) return;
  update_openings(state_.velocity);
  rotation_ = rotation_ + circulation_.field();
  if (vorticity == Vorticity::kept) edge_vorticity_.go_on(rotation_, state_.vorticity);
  if (vorticity == Vorticity::anew) {
    edge_vorticity_.compute(rotation_, state_.vorticity);
  } else if (vorticity == Vorticity::after_step) {
    edge_vorticity_.compute_after_step(rotation_, state_.vorticity, settings_.vorticity_iterations);
  }
}

/// Of the circulation the share of outlets, where the fluid moves like this inside.
void FlowStep::update_openings(Field<Cell, Vec3>& velocity) {
  if (!behind_outlets_) return;
  open_velocity_.compute(halo(velocity), *behind_outlets_);
  circulation_.update(halo(*behind_outlets_));
}

/// What faces carry out of cells, or omega x u with the vorticity of the consistent mass, in 2D M_n omega = R M U + b.
void FlowStep::update_convection(Kept kept) {
  if (settings_.convection != ConvectionForm::rotational) {
    if (third_order_) {
      third_order_->carry(halo(state_.flux), halo(state_.velocity), *momentum_);
    } else {
      carry_momentum(state_.flux, halo(state_.velocity),
                     settings_.convection == ConvectionForm::upwind ? FaceVelocity::upwind : FaceVelocity::central,
                     *momentum_);
    }
    boundary_faces_.carry_momentum(state_.flux, state_.velocity, *momentum_);
    divergence_convection(halo(*momentum_), convection_->now);
    return;
  }
  if (!vorticity_system_) {
    return rotational_convection(cell_means(), halo(state_.vorticity), state_.velocity, convection_->now);
  }
  record_setup(settings_.vorticity, *vorticity_system_);
  const SolveReport report =
      kept == Kept::yes
          ? vorticity_system_->solve(rotation_, consistent_vorticity_, settings_.vorticity, past_vorticities_)
          : vorticity_system_->solve(rotation_, consistent_vorticity_, settings_.vorticity);
  solves_.record(settings_.vorticity, report);
  rotational_convection(halo(consistent_vorticity_), state_.velocity, convection_->now);
}

/// Of the vorticity at edges.
const EdgeMeans& FlowStep::cell_means() {
  if (!cell_means_) cell_means_ = EdgeMeans::in_cells(mesh_);
  return *cell_means_;
}

void FlowStep::set_body_force(Coefficient<Vec3> force) {
  body_force_ = std::move(force);
  force_.emplace(mesh_);
  sample_body_force(time_);
}

void FlowStep::sample_body_force(real time) {
  mesh_.comm().guard([&] {
    const auto centres = std::span(mesh_.geometry().cell_centre).first(mesh_.owned<Cell>());
    const std::vector<Vec3> values = body_force_->at(centres, time);
    for (std::size_t c = 0; c < values.size(); ++c) {
      require_input(mesh_.dimension() == 3 || values[c].z == 0, [&] {
        return message("the body force has a z-component, {} m/s^2 at {}: a 2D flow has none", values[c].z,
                       text_of_place(centres[c], 2));
      });
    }
    force_->from_host(values);
  });
  force_time_ = time;
}

void FlowStep::add_body_force(real time) {
  if (body_force_->depends_on_time() && time != force_time_) sample_body_force(time);
  forcing_ = forcing_ - *force_;
}

void FlowStep::build_systems() {
  if (has_driven_pairs()) pair_pressure();
  openings();
  if (!vorticity_system_) return;
  record_setup(settings_.vorticity, *vorticity_system_);
  past_vorticities_.reserve();
}

void FlowStep::advance(real dt) {
  scheme_ = time_coefficients(settings_.scheme, dt, history_.span);
  if (rebuilt_ && !history_.leaves_out(dt) && rebuilt_->choose_implicit(dt, halo(state_.flux))) {
    implicit_friction_changed();
  }

  // What the momentum equation knows before the step: extrapolated convection, minus the force.
  if (is_left_out_) {
    std::swap(velocity_old_, velocity_older_);
  } else if (convection_) {
    std::swap(convection_->old, convection_->now);
  }
  is_left_out_ = history_.leaves_out(dt);
  if (has_convection_in_cells()) {
    update_convection(Kept::yes);
    forcing_ = scheme_.recent * convection_->now + scheme_.older * convection_->old;
  } else {
    forcing_ = 0 * forcing_;
  }
  if (boundaries_.depends_on_time()) set_boundary(time_ + dt);
  if (body_force_) add_body_force(time_ + dt);
  if (has_convection_in_cells() || body_force_) {
    integrate(halo(forcing_), on_faces_);
  } else {
    on_faces_ = 0 * on_faces_;
  }
  if (buoyancy_) on_faces_ = on_faces_ - buoyancy_->along_duals();
  add_pressures(on_faces_);
  const real older = std::max(scheme_.older, real{-1});  // of steps that grow no more: it would not be stable
  const real grows = scheme_.older < older;
  older_of_friction_ = grew_ > 0 ? older : scheme_.older;  // one that grows between others keeps the order
  edge_vorticity_.keep_older(is_left_out_);
  edge_vorticity_.extrapolate(older_of_friction_);
  if (rebuilt_) {
    rebuilt_->add_expected(older_of_friction_, on_faces_);
    if (!rebuilt_->knows_older_friction()) older_of_friction_ = 0;
    if (boundaries_.depends_on_time()) set_boundary_anew(time_ + dt);
  }
  grew_ = grows;
  if (behind_outlets_) {
    on_cells_ = (1 - older) * state_.velocity + older * velocity_old_;
    update_openings(on_cells_);
  }

  solve_step(dt);
  velocity_older_.copy_from(velocity_old_);
  velocity_old_.copy_from(state_.velocity);
  update_flow(dt_ > 0 ? Vorticity::after_step : Vorticity::anew);
  time_ += dt;
  dt_ = dt;
  history_.add(dt);
}

/// What is given at this time and is not what is expected of it, for the implicit friction.
void FlowStep::set_boundary_anew(real time) {
  const ImplicitFriction* const friction = rebuilt_->implicit_friction();
  if (!friction || friction->whole) return;
  mesh_.comm().guard([&] {
    std::vector<Vec3> velocity = sample_boundary(mesh_, boundaries_, time);
    const std::vector<Vec3> last = sample_boundary(mesh_, boundaries_, time_),
                            before = sample_boundary(mesh_, boundaries_, time_ - history_.span);
    for (std::size_t k = 0; k < velocity.size(); ++k) {
      velocity[k] -= (1 - older_of_friction_) * last[k] + older_of_friction_ * before[k];
    }
    friction->differences.set(velocity);
  });
}

void FlowStep::compute_implicit_friction(Field<Face>& flux, Field<Face>& along_faces) {
  if (rebuilt_ && rebuilt_->is_friction_implicit()) return rebuilt_->compute_friction(halo(flux), along_faces);
  interpolate(halo(flux), on_cells_);
  if (face_average_) return face_average_->compute(halo(on_cells_), along_faces);
  on_cells_ = on_cells_ - (1 - older_of_friction_) * state_.velocity - older_of_friction_ * velocity_old_;
  const ImplicitFriction& friction = *rebuilt_->implicit_friction();
  friction.differences.compute(halo(on_cells_), along_faces);
  along_faces = friction.factor * along_faces;
}

void FlowStep::revert_step() {
  revert_flux();
  time_ -= dt_;
  if (boundaries_.depends_on_time()) set_boundary(time_);
  update_flow(Vorticity::anew);
}

/// What the next step, its pressure() and its rate_of_change() take from those before.
void FlowStep::visit_state(StateVisitor& visitor) {
  visitor.number("time", time_);
  visitor.number("dt", dt_);
  visitor.number("history_span", history_.span);
  visitor.number("history_left_out", history_.left_out);
  visitor.number("steps_left_out", history_.steps_left_out);
  visitor.flag("is_left_out", is_left_out_);
  visitor.number("grew", grew_);
  visitor.field("velocity_old", is_left_out_ ? velocity_older_ : velocity_old_);
  if (convection_) visitor.field("convection", is_left_out_ ? convection_->old : convection_->now);
  visitor.number("convection_form", form_of_convection_);
  visitor.field("consistent_vorticity", consistent_vorticity_);
  visitor.field("pressure", solved_pressure_);
  visitor.past("past_vorticity", past_vorticities_);
  if (mesh_.dimension() == 3 && has_vorticity()) lacks_vorticity_ = !visitor.field("vorticity", state_.vorticity);
  if (has_vorticity()) edge_vorticity_.visit_state(visitor);
  if (rebuilt_) rebuilt_->visit_state(visitor);
}

real FlowStep::rate_of_change() const {
  return solenoid::rate_of_change(state_.velocity, velocity_old_, dt_, boundary_speed_);
}

}  // namespace solenoid
