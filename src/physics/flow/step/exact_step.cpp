#include "physics/flow/step/exact_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "solve/scaled_rows.hpp"
#include "solve/solve_from_guess.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// W with B = W^-1 on tetrahedra, 1 where no vorticity is; in 2D the lumped mass.
Field<Edge> vorticity_mass(const LocalMesh& mesh, const Field<Edge>& inverse) {
  if (mesh.dimension() == 2) return {mesh, p1_lumped_mass(mesh)};
  std::vector<real> mass = inverse.to_host();
  for (real& value : mass) value = value > 0 ? 1 / value : 1;
  return {mesh, mass};
}

/// The largest eigenvalue of W^-1 R M C at free edges, in 2D an upper bound. Collective.
real largest_rate(const Space<Edge>& free_edges, const MatrixRows& curl_curl, const Field<Edge>& inverse_mass) {
  const LocalMesh& mesh = free_edges.mesh();
  if (mesh.dimension() == 2) return bound_of_rate(free_edges, curl_curl, vorticity_mass(mesh, inverse_mass));
  const std::vector<real> inverse = inverse_mass.to_host(), diagonal = curl_curl.diagonal();
  const auto is_free = [&](std::size_t e) { return free_edges.role()[e] == Space<Edge>::free; };
  real largest = 0;
  for (std::size_t e = 0; e < inverse.size(); ++e) {
    if (is_free(e)) largest = std::max(largest, inverse[e] * diagonal[e]);
  }
  largest = mesh.comm().max(largest);
  if (largest == 0) return 0;  // there is no free edge
  const real unit = unit_for(largest);
  std::vector<real> scale;
  for (std::size_t e = 0; e < inverse.size(); ++e) scale.push_back(is_free(e) ? std::sqrt(unit * inverse[e]) : 0);
  Field<Edge> scales(mesh, scale);
  return static_cast<real>(largest_eigenvalue(free_edges, curl_curl, scales, false)) / unit;
}

NearInverse near_inverse(const SolenoidalSpace& space, PreconditionerKind kind) {
  if (LinearSystem<Edge>* const system = space.on_nodes()) return near_inverse_of(*system);
  if (kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi) return {};
  require_on_all_ranks(
      kind == PreconditionerKind::automatic || kind == PreconditionerKind::multigrid,
      [] {
        return "preconditioner in [solver.potential]: in space the exact step has \"multigrid\", \"jacobi\" and "
               "\"none\"";
      },
      ExitCode::bad_input);
  return {PreconditionerKind::multigrid, {}, space.on_edges()};
}

/// Of the near inverse with porous zones.
PreconditionerKind kind_of_inverse(const SolenoidalSpace& space, const FlowStepSettings& settings) {
  if (LinearSystem<Edge>* const system = space.on_nodes()) return system->preconditioner();
  return near_inverse(space, settings.potential.preconditioner).kind;
}

/// Loops whose unknowns are in the system.
const HarmonicFluxes* loops_with_slots(const SolenoidalSpace& space) {
  return space.slots().count() > 0 ? &space.loops() : nullptr;
}

/// The mesh itself, before there is anything to wait for.
const LocalMesh& require_possible_flow(const LocalMesh& mesh, const FlowStepSettings& settings) {
  require_on_all_ranks(
      settings.diffusion != DiffusionForm::face_average,
      [] {
        return "diffusion = \"face-average\" is for the classical step: take method = \"classical\" or another "
               "friction";
      },
      ExitCode::bad_input);
  return mesh;
}

}  // namespace

ExactStep::ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                     const WideHaloMesh* wide)
    : ExactStep(mesh, settings, std::move(boundaries), time, wide,
                solenoid::curl_curl(require_possible_flow(mesh, settings))) {}

ExactStep::ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                     const WideHaloMesh* wide, const MatrixRows& curl_curl)
    : FlowStep(mesh, settings, std::move(boundaries), time, wide),
      space_(mesh, boundaries_, pairs_, curl_curl, stream_function_ ? &*stream_function_ : nullptr, pressure_system_,
             tree_, given_),
      with_friction_(friction_.implicit() ? std::make_optional<PotentialMomentumSystem>(mesh, *friction_.implicit())
                                          : std::nullopt),
      potential_drag_(
          drag_ ? std::make_optional<PotentialDrag>(space_.free_edges(), *drag_, kind_of_inverse(space_, settings_))
                : std::nullopt),
      implicit_(space_.unknowns(), curl_curl, space_.laplacian(),
                near_inverse(space_, settings.potential.preconditioner),
                vorticity_mass(mesh, friction_.lumped_inverse_mass()), friction_.lumped_inverse_mass(),
                largest_rate(space_.free_edges(), curl_curl, friction_.lumped_inverse_mass()), loops_with_slots(space_),
                with_friction_ ? &*with_friction_ : nullptr, potential_drag_ ? &*potential_drag_ : nullptr),
      circulation_now_{Field<Edge>(mesh), {}, {}},
      circulation_old_{Field<Edge>(mesh), {}, {}},
      circulation_begun_{Field<Edge>(mesh), {}, {}},
      circulation_of_forces_{Field<Edge>(mesh), {}, {}},
      right_side_{Field<Edge>(mesh), {}, {}},
      along_duals_(mesh),
      cells_(mesh),
      increment_(mesh),
      vorticity_(mesh) {
  require_on_all_ranks(
      !drag_ || space_.loops().count() == 0 || space_.slots().count() > 0,
      [] {
        return "[zone] with `darcy` or `forchheimer`: in a plane domain without walls, inlets and planes of symmetry "
               "the exact step knows no mean flow with drag: give one of them";
      },
      ExitCode::bad_input);
  if (const HiptmairXu* const on_edges = space_.on_edges()) {
    solves_.record_setup(settings_.potential, setup_.seconds(), &on_edges->shape());
  } else {
    space_.on_nodes()->record_setup(settings_.potential);
  }
  if (mesh.dimension() == 3) loops_ = space_.loops().patches();
  begin(10 * tolerance::of_pair_fluxes);
  if (stream_function_ && !stream_function_->has_jumps() && boundaries_.velocity_depends_on_time()) {
    boundary_potential_.emplace(mesh);
    set_boundary_potential();
  }
}

/// Circulation of divergence-free fluxes with this velocity of cells.
void ExactStep::circulate(Field<Cell, Vec3>& velocity, Circulation& circulation) {
  integrate(halo(velocity), along_duals_);
  space_.circulate(along_duals_, circulation);
}

/// Whether the circulation of a step's increment is added to that of the flux, with less memory traffic than from the
/// flux.
bool ExactStep::adds_circulations() const { return mesh_.dimension() == 2 && space_.loops().count() == 0; }

void ExactStep::compute_circulation(Field<Edge>& circulation) {
  if (!std::exchange(is_circulation_known_, false)) {
    circulate(state_.velocity, circulation_now_);
    circulation_scale_ = space_.largest();
  }
  circulation.copy_from(circulation_now_.around_edges);
}

/// Circulation of the explicit part, to which the drag of zones is added, and of the expected friction of `flux`, whose
/// own circulation this is.
void ExactStep::circulate_forces(Field<Face>& explicit_part, Field<Face>& flux, const Field<Edge>& circulation) {
  const real nu = friction_.implicit_viscosity();
  if (drag_) drag_->add_along_duals(flux, explicit_part);
  if (friction_.implicit()) {
    friction_.compute_implicit(flux, velocity_old_, velocity_older_, along_duals_);
    along_duals_ = explicit_part + nu * along_duals_;
    return space_.circulate(along_duals_, circulation_of_forces_);
  }
  vorticity_ = circulation + friction_.boundary_circulation();
  friction_.add_extrapolated_rest(vorticity_);
  space_.circulate(explicit_part, circulation_of_forces_);
  space_.add_curl(nu, vorticity_, circulation_of_forces_);
}

/// Imposes the prescribed fluxes on a flow that had others; their divergence is removed up to `tolerance`, and then
/// along the tree.
void ExactStep::impose_given(Field<Face>& flux, real tolerance) {
  given_.impose(flux);
  SolveControl control = settings_.pressure;
  control.tolerance = std::max(control.tolerance, tolerance);
  Field<Cell> sources(mesh_), multiplier(mesh_);
  sources = -(mesh_.D * halo(flux));
  constexpr real round_off = 256 * std::numeric_limits<real>::epsilon();
  const real negligible = round_off * max_magnitude(flux), largest = max_magnitude(sources);
  if (largest > negligible) {
    control.tolerance = std::max(control.tolerance, negligible / largest);
    pressure_system_.solve_without_history(sources, multiplier, control);
    flux = flux - pressure_system_.conductance() * (mesh_.G * halo(multiplier));
  }
  space_.round(std::max(space_.largest(), max_magnitude(flux)), flux);
}

/// Where the prescribed fluxes change in the step: sets flux_ to the present fluxes with these, and circulation_begun_
/// to their circulation. Returns whether they change.
bool ExactStep::impose_changes() {
  constexpr real enough = 1e-2;
  bool changes = has_given_flow_ && boundaries_.velocity_depends_on_time();
  if (!changes && pairs_.driven().empty()) return false;
  flux_.copy_from(state_.flux);
  if (changes && boundary_potential_) {
    increment_.copy_from(*boundary_potential_);
    set_boundary_potential();
    increment_ = *boundary_potential_ - increment_;
    space_.lift(increment_, flux_);
    circulation_begun_.around_edges = circulation_now_.around_edges + space_.laplacian() * halo(increment_);
    return true;
  }
  if (changes) impose_given(flux_, enough);
  changes = space_.drive_pairs(increment_, flux_) || changes;
  if (!changes) return false;
  interpolate(halo(flux_), cells_);
  circulate(cells_, circulation_begun_);
  return true;
}

/// s on the boundary from the prescribed fluxes that were sampled last.
void ExactStep::set_boundary_potential() {
  if (!boundary_potential_) return;
  boundary_potential_->copy_from(stream_function_->offset());
  if (space_.largest() > 0) round_to_grid(space_.largest(), *boundary_potential_);
}

/// Z^T M Z [s c] = `of_flux`, 0 if null, less the forces' circulation. Returns c.
std::vector<real> ExactStep::solve_tightly(Circulation* of_flux, Field<Edge>& potential) {
  potential = 0 * potential;
  SolveControl tight = tightened(settings_.potential, tolerance::of_start);
  if (of_flux) {
    right_side_.around_edges.copy_from(of_flux->around_edges);
    right_side_.along_loops = of_flux->along_loops;
  } else {
    right_side_.around_edges = 0 * right_side_.around_edges;
    right_side_.along_loops.assign(space_.loops().count(), 0);
  }
  right_side_.summed = of_flux ? of_flux->summed.over(mesh_.comm()) : 0;
  if (const auto round_off = space_.subtract_forces(circulation_of_forces_, right_side_)) {
    tight.tolerance = std::max(tight.tolerance, *round_off);
    implicit_.solve_without_history(1, 0, right_side_.around_edges, potential, tight);
  }
  return space_.extract_factors(1, potential);
}

void ExactStep::project(Field<Face>& flux) {
  is_circulation_known_ = false;
  constexpr real nearly = 1e-6;
  flux_.copy_from(flux);
  impose_given(flux_, nearly);
  space_.drive_pairs(increment_, flux_);
  interpolate(halo(flux_), cells_);
  circulate(cells_, circulation_of_forces_);
  interpolate(halo(flux), cells_);
  circulate(cells_, circulation_begun_);
  space_.add(solve_tightly(&circulation_begun_, increment_), increment_, flux_, state_.flux);
  set_boundary_potential();
  if (outlets_.has_given_fluxes()) {
    const std::vector<real> c = response_.combine(change_for_given_fluxes(false, state_.flux), increment_);
    space_.add(c, increment_, state_.flux, state_.flux);
  }
  outlets_.begin(outlets_.faces().sum(state_.flux));
  flux_old_.copy_from(state_.flux);
  update_flow(Friction::Vorticity::anew);
}

/// Sets right_side_ to the circulation of -(a1 U + a2 U_old + a U_begun)/dt. alpha = a/dt, earlier = a2/dt.
void ExactStep::compute_defect(real alpha, real earlier, const Circulation& begun) {
  const Circulation &now = circulation_now_, &old = circulation_old_;
  right_side_.along_loops.resize(now.along_loops.size());
  for (std::size_t k = 0; k < now.along_loops.size(); ++k) {
    right_side_.along_loops[k] = alpha * (now.along_loops[k] - begun.along_loops[k]) +
                                 (earlier != 0 ? earlier * (now.along_loops[k] - old.along_loops[k]) : 0);
  }
  const auto of_past = earlier * (now.around_edges - old.around_edges);
  if (&begun == &now) {
    right_side_.around_edges = of_past;
  } else {
    right_side_.around_edges = alpha * (now.around_edges - begun.around_edges) + of_past;
  }
  right_side_.summed = (alpha + std::abs(earlier)) * circulation_now_.summed.over(mesh_.comm());
}

/// The unknown is the increment of the fluxes: the solver's tolerance is relative to the change in a step.
std::vector<real> ExactStep::solve_step(real dt, Field<Face>& explicit_part) {
  const real alpha = scheme_.now / dt, earlier = scheme_.earlier / dt, nu = friction_.implicit_viscosity();
  std::vector<real> at_outlets = expect_outlets(dt, explicit_part);
  const bool changes = impose_changes();
  Field<Face>& flux = changes ? flux_ : state_.flux;
  Circulation& begun = changes ? circulation_begun_ : circulation_now_;
  circulate_forces(explicit_part, flux, begun.around_edges);
  compute_defect(alpha, earlier, begun);

  increment_ = 0 * increment_;  // the guess of the first step
  SolveControl control = settings_.potential;
  control.min_iterations = 1;  // no step is an extrapolation alone
  if (const auto round_off = space_.subtract_forces(circulation_of_forces_, right_side_)) {
    control.tolerance = std::max(control.tolerance, *round_off);
    implicit_.solve(alpha, nu, right_side_.around_edges, increment_, control);
  } else {
    solves_.record(settings_.potential, {.converged = true});
  }
  space_.add(space_.extract_factors(alpha, increment_), increment_, flux, flux_);
  if (!outlets_.empty()) satisfy_outlets(dt, at_outlets);
  add_circulation(begun);
  return at_outlets;
}

/// The pressures expected at the end of the step on outlets with a condition; `explicit_part` has them then.
std::vector<real> ExactStep::expect_outlets(real dt, Field<Face>& explicit_part) const {
  std::vector<real> pressures = outlets_.expected(dt, history_.span), change = pressures;
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= outlets_.now()[k];
  outlets_.faces().add(change, explicit_part);
  return pressures;
}

/// From the expected pressures on outlets and flux_, the fluxes for them, to those that satisfy the conditions there.
void ExactStep::satisfy_outlets(real dt, std::vector<real>& pressures) {
  const real alpha = scheme_.now / dt, nu = friction_.implicit_viscosity();
  const std::vector<real> fluxes = outlets_.faces().sum(flux_);
  const auto conditions = outlets_.conditions(scheme_, dt);
  const auto respond = [&](real to, real viscosity) {
    response_.compute(to, viscosity, space_, implicit_, unrecorded(settings_.potential));
  };
  if (!response_.is_known() && response_.alpha() > 0) {  // of the run before
    respond(response_.alpha(), response_.viscosity() > 0 ? response_.viscosity() : nu);
  }
  std::vector<real> changes;
  if (response_.is_known()) changes = response_.changes(fluxes, pressures, conditions);
  if (!response_.is_near(alpha, nu, changes, fluxes)) {
    respond(alpha, nu);
    changes = response_.changes(fluxes, pressures, conditions);
  }
  Field<Edge>& correction = vorticity_;
  space_.add(response_.combine(changes, correction), correction, flux_, flux_);
  increment_ = increment_ + correction;
  for (std::size_t k = 0; k < pressures.size(); ++k) pressures[k] += changes[k];
}

/// The changes of pressures on outlets by which the nearest flow to `flux` has the given fluxes there.
std::vector<real> ExactStep::change_for_given_fluxes(bool at_rest, const Field<Face>& flux) {
  response_.compute(1, 0, space_, implicit_, unrecorded(tightened(settings_.potential, tolerance::of_start)));
  std::vector<real> changes =
      response_.changes(outlets_.faces().sum(flux), std::vector<real>(outlets_.patches().size(), 0),
                        outlets_.conditions_of_fluxes(at_rest));
  response_.forget();
  return changes;
}

/// The circulation of flux_ from that of the flux that the step began from, where that takes less memory traffic and
/// leaves no round-off of a much faster flow; and the history of circulations.
void ExactStep::add_circulation(const Circulation& begun) {
  constexpr real slower = 1e-3;
  is_circulation_known_ = adds_circulations() && space_.largest() > slower * circulation_scale_;
  if (is_circulation_known_) {
    circulation_begun_.around_edges = begun.around_edges + space_.laplacian() * halo(increment_);
    circulation_begun_.summed = space_.largest();
    circulation_scale_ = std::max(circulation_scale_, space_.largest());
  }
  if (!is_left_out_) std::swap(circulation_old_, circulation_now_);
  if (is_circulation_known_) std::swap(circulation_now_, circulation_begun_);
}

/// Z^T M dU/dt = -Z^T (explicit part + nu M C omega), or with the implicit part of a rebuilt friction.
void ExactStep::compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& /*pressure*/) {
  friction_.expect_steady();
  compute_circulation(right_side_.around_edges);
  circulate_forces(explicit_part, state_.flux, right_side_.around_edges);
  const std::vector<real> c = solve_tightly(nullptr, increment_);
  rate = mesh_.C * halo(increment_);
  space_.loops().add_flows(c, rate);
  if (!outlets_.has_given_fluxes()) return;
  std::vector<real> pressures = outlets_.now();
  const std::vector<real> changes = change_for_given_fluxes(true, rate);
  for (std::size_t k = 0; k < pressures.size(); ++k) pressures[k] += changes[k];
  outlets_.show(pressures);
  const std::vector<real> of_changes = response_.combine(changes, increment_);
  rate = rate + mesh_.C * halo(increment_);
  space_.loops().add_flows(of_changes, rate);
}

void ExactStep::compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) {
  pressure_system_.recover(momentum, pressure, settings_.pressure);
}

}  // namespace solenoid
