#include "physics/flow/step/classical_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "field/assign.hpp"
#include "field/largest_later.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/momentum/divergence_friction.hpp"
#include "physics/flow/momentum/projection_scaling.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// On tetrahedra D (M + ...)^-1 G is at most 3 times D (A/L) G cell by cell; 3/4 of that, and 1.1 for a metric of
/// before.
constexpr real scaling_beside_zones = 2.5;

/// A flux is unknown inside and on outlets.
std::vector<int> roles_of_faces(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<int> roles(mesh.total<Face>(), Space<Face>::free);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!boundaries.outlet(b.patch)) roles[b.face] = Space<Face>::prescribed;
  }
  return roles;
}

void add(const DroppingPressure& change, DroppingPressure& pressure) {
  pressure.values = pressure.values + change.values;
  for (std::size_t k = 0; k < pressure.drops.size(); ++k) pressure.drops[k] += change.drops[k];
  for (std::size_t k = 0; k < pressure.outlets.size(); ++k) pressure.outlets[k] += change.outlets[k];
}

void scale(real factor, DroppingPressure& pressure) {
  pressure.values = factor * pressure.values;
  for (real& drop : pressure.drops) drop *= factor;
  for (real& of_outlet : pressure.outlets) of_outlet *= factor;
}

}  // namespace

ClassicalStep::ClassicalStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries,
                             real time, const WideHaloMesh* wide)
    : FlowStep(mesh, settings, std::move(boundaries), time, wide),
      unknowns_(mesh, roles_of_faces(mesh, boundaries_)),
      friction_of_divergence_(
          divergence_friction(mesh, pressure_system_.conductance(), friction_.implicit_factor().value_or(1))),
      flux_drag_(drag_ ? std::make_optional<FluxDrag>(mesh, *drag_) : std::nullopt),
      implicit_(friction_.implicit()
                    ? FluxMomentumSystem(unknowns_, rt0_mass(mesh), *friction_.implicit(),
                                         friction_.is_of_face_averages() ? nullptr : &friction_of_divergence_,
                                         flux_drag_ ? &*flux_drag_ : nullptr)
                    : FluxMomentumSystem(unknowns_, rt0_mass(mesh), friction_.lumped_inverse_mass(),
                                         friction_of_divergence_, flux_drag_ ? &*flux_drag_ : nullptr)),
      projection_scaling_(projection_scaling(unknowns_, implicit_, pressure_system_, settings.projection_scaling)) {
  if (flux_drag_) {
    slowed_.emplace(mesh, faces_.is_open(), pairs_, outlets_, settings_.pressure, *flux_drag_);
    if (mesh.dimension() == 3 && !settings.projection_scaling)
      projection_scaling_ = std::max(projection_scaling_, scaling_beside_zones);
  }
  for (int pass = 0; pass < settings.passes; ++pass) corrections_.emplace_back(mesh, outlets_);
  begin(1e3 * settings_.pressure.tolerance);
}

void ClassicalStep::viscosity_changed() {
  if (!friction_at_one_viscosity_) {
    friction_at_one_viscosity_.emplace(mesh_);
    friction_at_one_viscosity_->copy_from(friction_of_divergence_);
  }
  constexpr int rings = 2;  // that the friction of a cell reaches: with its own viscosity alone it is not positive
  Field<Cell>& relative = friction_.viscosity()->relative();
  friction_of_divergence_ = largest_around(relative, rings) * *friction_at_one_viscosity_;
  implicit_.set_viscosity(relative, friction_of_divergence_);
  implicit_.friction_changed();
}

/// Of the fluxes inside, at edges: R M U.
void ClassicalStep::compute_circulation(Field<Edge>& circulation) {
  if (!friction_.has_vorticity()) return;
  along_duals_ = implicit_.mass() * halo(state_.flux);
  circulation = mesh_.R * halo(along_duals_);
}

ClassicalStep::Metric ClassicalStep::plain_metric() {
  const bool is_driven = !pairs_.driven().empty() || !outlets_.empty();
  return {pressure_system_, is_driven ? &balance_.driving_pressures() : nullptr};
}

ClassicalStep::Metric ClassicalStep::metric_of_step() {
  if (!slowed_) return plain_metric();
  const bool is_driven = !pairs_.driven().empty() || !outlets_.empty();
  return {slowed_->system(), is_driven ? &slowed_->driving() : nullptr};
}

std::vector<real> ClassicalStep::solve_step(real dt, Field<Face>& explicit_part) {
  if (slowed_) slowed_->renew(scheme_.now / dt, friction_.implicit_viscosity());
  flux_.copy_from(state_.flux);
  std::fill(step_pressure_.outlets.begin(), step_pressure_.outlets.end(), real{0});
  if (has_given_flow_) given_.impose(flux_);
  Pending<Sums<1>> largest(Sums<1>{});
  bool settles = dt_ == 0 || grows_beyond_stability(dt, history_.span);
  if (settles) {
    // No earlier correction predicts this one. The mismatch would not cancel later, for this step is Euler's.
    forget_corrections();
    settle(dt, explicit_part, 1e-4);
  } else {
    Pending<Sums<1>> surprise = solve_passes(dt, explicit_part);
    largest = begin_max_magnitude(flux_);
    settles = is_sudden(std::move(surprise));
    if (settles) settle(dt, explicit_part, 2e-3);
  }
  if (settles) largest = begin_max_magnitude(flux_);
  round_and_balance(over(mesh_.comm(), largest), flux_);
  return pressures_at_outlets();
}

/// After the passes of a step that are over.
std::vector<real> ClassicalStep::pressures_at_outlets() const {
  std::vector<real> pressures = outlets_.now();
  for (std::size_t k = 0; k < pressures.size(); ++k) pressures[k] += step_pressure_.outlets[k];
  return pressures;
}

void ClassicalStep::forget_corrections() {
  for (DroppingPressure& correction : corrections_) scale(0, correction);
}

/// All passes, with phi_old in proportion to the step. Returns max |phi - phi_old| of the first one [m^2/s^2], on this
/// rank.
Pending<Sums<1>> ClassicalStep::solve_passes(real dt, const Field<Face>& explicit_part) {
  constexpr real most = 2;  // growth of a correction: more is not stable in steps of alternating length
  const real ratio = std::min(dt / history_.span, most);
  Pending<Sums<1>> surprise(Sums<1>{});
  for (DroppingPressure& correction : corrections_) {
    const bool is_first = &correction == corrections_.data();
    scale(ratio, correction);
    DroppingPressure& expected = unkept_;
    expected.values.copy_from(correction.values);
    expected.drops = correction.drops;
    expected.outlets = correction.outlets;
    solve_pass(dt, explicit_part, correction, is_first ? FirstGuess::past : FirstGuess::zero);
    if (is_first) surprise = begin_max_magnitude(mesh_.layout<Cell>(), correction.values - expected.values);
    if (is_left_out_) {
      scale(1 / ratio, expected);
      add(expected, correction);  // over the whole span
    }
  }
  return surprise;
}

/// Whether the pressure deviates from its extrapolation as much as after a kink in time of prescribed values. A
/// deviation that repeats step after step soon counts as usual.
bool ClassicalStep::is_sudden(Pending<Sums<1>> of_first_pass) {
  constexpr real negligible = 0.01, beyond_usual = 4, growth = 2;
  const bool is_first = usual_surprise_ < 0;  // after a start by Euler's step: no sign of a kink
  const real pressure = max_magnitude(step_pressure_.values), surprise = over(mesh_.comm(), of_first_pass);
  const real usual = std::max(usual_surprise_, negligible * pressure);
  usual_surprise_ = std::min(surprise, growth * usual);
  return !is_first && surprise > beyond_usual * usual;
}

/// Passes without phi_old until phi is no more than `enough` of the pressure. The first pass of the next step expects
/// all of a steady rate of change.
void ClassicalStep::settle(real dt, const Field<Face>& explicit_part, real enough) {
  constexpr int most = 20;
  DroppingPressure &first = corrections_.front(), &correction = unkept_;
  for (auto later = corrections_.begin() + 1; later != corrections_.end(); ++later) {
    add(*later, first);
    scale(0, *later);
  }
  for (int k = 0; k < most; ++k) {
    scale(0, correction);
    solve_pass(dt, explicit_part, correction, FirstGuess::zero);
    if (dt_ > 0) add(correction, first);
    if (max_magnitude(correction.values) <= enough * max_magnitude(step_pressure_.values)) break;
  }
}

/// One momentum equation and one correction, which is phi_old on entry: U' = flux_ and p' = step_pressure_ of the pass
/// before become those of this one. The unknown is the increment of the fluxes: the solver's tolerance is relative to
/// the change.
void ClassicalStep::solve_pass(real dt, const Field<Face>& explicit_part, DroppingPressure& correction,
                               FirstGuess guess) {
  const real alpha = scheme_.now / dt, nu = friction_.implicit_viscosity();
  compute_momentum(dt, explicit_part, correction);
  increment_ = 0 * increment_;  // the guess of the first step
  SolveControl control = settings_.momentum;
  control.min_iterations = 1;  // no step is an extrapolation alone
  if (guess == FirstGuess::past) {
    implicit_.solve(alpha, nu, right_side_, increment_, control);
  } else {
    implicit_.solve_without_history(alpha, nu, right_side_, increment_, control);
  }
  flux_ = flux_ + increment_;
  correct(metric_of_step(), alpha, {pairs_.fluxes(), outlets_.conditions(scheme_, dt), pressures_at_outlets()}, flux_,
          correction, settings_.pressure, FirstGuess::past);
  if (!friction_.is_of_face_averages()) {  // -nu w/V D U*
    step_pressure_.values =
        step_pressure_.values + (nu * projection_scaling_ / alpha) * (friction_of_divergence_ * divergence_);
  }
  add(correction, step_pressure_);
}

/// right_side_ = -explicit_part - M ((a U' + a1 U + a2 U_old)/dt - W G phi_old) - G phi_old - G p
///               - friction of U' - dt/(2a) W G phi_old - nu D^T (w/V) D U' - drag of U' - dt/a W G phi_old.
void ClassicalStep::compute_momentum(real dt, const Field<Face>& explicit_part, DroppingPressure& correction_old) {
  constexpr real share = 0.5;  // of the last correction's friction: with all of it slow flows need a larger sigma
  const real alpha = scheme_.now / dt, nu = friction_.implicit_viscosity();
  const Field<Face>& flux_begun = state_.flux;
  Field<Face>&with_friction = increment_, &pressure_gradient = increment_;  // the increment is not known yet

  compute_gradient(correction_old, gradient_);
  const Field<Face>& conductance = metric_of_step().system.conductance();
  const auto correction_rate = projection_scaling_ * (conductance * gradient_);  // W G phi_old
  rate_ = alpha * (flux_ - flux_begun) + (scheme_.earlier / dt) * (flux_old_ - flux_begun) - correction_rate;
  with_friction = flux_ - (share / alpha) * correction_rate;
  compute_friction(with_friction);
  compute_gradient(step_pressure_, pressure_gradient);
  right_side_ = -explicit_part - implicit_.mass() * halo(rate_) - gradient_ - nu * along_duals_ - pressure_gradient;
  if (!friction_.is_of_face_averages() && has_given_flow_) {  // of new prescribed fluxes
    divergence_ = friction_of_divergence_ * (mesh_.D * halo(flux_));
    right_side_ = right_side_ + nu * (mesh_.G * halo(divergence_));  // G = -D^T
  }
  if (flux_drag_) {
    Field<Face>& with_drag = increment_;
    with_drag = flux_ - (1 / alpha) * correction_rate;
    along_duals_ = 0 * along_duals_;
    flux_drag_->add_force(nu, with_drag, along_duals_);
    right_side_ = right_side_ - along_duals_;
  }
  unknowns_.restrict_to_unknowns(right_side_);
}

/// Friction of these fluxes with the moving boundary, by viscosity: along_duals_, or that of curls, nu C omega, which
/// is added to rate_.
void ClassicalStep::compute_friction(Field<Face>& flux) {
  if (friction_.implicit()) {
    return friction_.compute_implicit(flux, velocity_old_, velocity_older_, along_duals_);
  }
  along_duals_ = implicit_.mass() * halo(flux);
  vorticity_ = mesh_.R * halo(along_duals_) + friction_.boundary_circulation();
  friction_.add_extrapolated_rest(vorticity_);
  rate_ = rate_ + settings_.viscosity * (mesh_.C * halo(vorticity_));
  along_duals_ = 0 * along_duals_;
}

/// G p, with what p drops by over periodic pairs, and its values on outlets.
void ClassicalStep::compute_gradient(DroppingPressure& pressure, Field<Face>& gradient) {
  gradient = mesh_.G * halo(pressure.values);
  pairs_.faces().subtract(pressure.drops, gradient);
  outlets_.faces().add(pressure.outlets, gradient);
}

/// Removes the divergence of `flux` up to the solver's tolerance, and no further than round-off allows: flux -= W G
/// correction / factor with -D W G correction = -factor D flux; and sets what is wanted through pairs and at outlets.
void ClassicalStep::correct(const Metric& metric, real factor, const DrivingPressures::Wanted& wanted,
                            Field<Face>& flux, DroppingPressure& correction, SolveControl control, FirstGuess guess) {
  constexpr real round_off = 256 * std::numeric_limits<real>::epsilon();
  divergence_ = (-factor / projection_scaling_) * (mesh_.D * halo(flux));
  const auto [of_flux, largest] = max_magnitudes(flux, divergence_);
  const real negligible = round_off * factor * of_flux;
  std::fill(correction.drops.begin(), correction.drops.end(), real{0});
  std::fill(correction.outlets.begin(), correction.outlets.end(), real{0});
  if (largest <= negligible) {
    correction.values = 0 * correction.values;
  } else {
    control.tolerance = std::max(control.tolerance, negligible / largest);
    if (guess == FirstGuess::zero) {
      correction.values = 0 * correction.values;
      metric.system.solve_without_history(divergence_, correction.values, control);
    } else {
      metric.system.solve(divergence_, correction.values, control);
    }
    metric.system.closed_parts().remove_means(correction.values);
    flux = flux - (projection_scaling_ / factor) * (metric.system.conductance() * (mesh_.G * halo(correction.values)));
  }
  if (metric.driving) metric.driving->correct(wanted, factor / projection_scaling_, flux, correction);
}

/// D U = 0 in bits. `largest`: max |flux|.
void ClassicalStep::round_and_balance(real largest, Field<Face>& flux) {
  round_to_grid(largest, flux);
  if (has_given_flow_) given_.impose_rounded(largest, flux);
  tree_.balance(grid_spacing(largest), flux);
}

/// M flux + G multiplier = along at faces of unknown flux, and D flux = 0, up to `tolerance`, or the pressure's if that
/// is less, relative to the larger of `along` and the first residual: by conjugate gradients among fluxes without
/// divergence, where the preconditioner is a projection in the metric W (Gould, Hribar & Nocedal 2001). The closer the
/// solution, the less exact are the projections (Simoncini & Szyld 2003). Both are initial guesses on entry.
void ClassicalStep::make_solenoidal(const Field<Face>& along, const std::vector<real>& through_pairs,
                                    const OutletConditions& at_outlets, real tolerance, Field<Face>& flux,
                                    DroppingPressure& multiplier) {
  constexpr int most = 200;
  constexpr real of_rest = 0.1, loosest = 0.01;  // tolerances of projections
  const std::vector<real> none(through_pairs.size(), 0), no_pressures(at_outlets.size(), 0);
  OutletConditions none_at_outlets = at_outlets;
  for (auto& condition : none_at_outlets) {
    if (condition) condition->rate = 0;
  }
  const DrivingPressures::Wanted wanted{through_pairs, at_outlets, no_pressures},
      nothing{none, none_at_outlets, no_pressures};
  Field<Face>&residual = right_side_, &projected = increment_, &direction = rate_, &image = along_duals_;
  SolveControl control = tightened(settings_.pressure, tolerance);
  const real enough = control.tolerance;
  DroppingPressure correction(mesh_, outlets_);
  const Metric plain = plain_metric();
  const auto metric = projection_scaling_ * pressure_system_.conductance();  // W
  const auto project_residual = [&] {  // projected = W (residual - G correction), and that is the residual then
    projected = metric * residual;
    correct(plain, 1, nothing, projected, correction, control, FirstGuess::zero);
    add(correction, multiplier);
    compute_gradient(correction, gradient_);
    residual = residual - gradient_;
    unknowns_.restrict_to_unknowns(residual);
    return dot(residual, projected);
  };

  correct(plain, 1, wanted, flux, correction, control, FirstGuess::zero);
  add(correction, multiplier);
  compute_gradient(multiplier, gradient_);
  residual = along - implicit_.mass() * halo(flux) - gradient_;
  unknowns_.restrict_to_unknowns(residual);
  const real largest = std::max(dot(along, along, pressure_system_.conductance()),
                                dot(residual, residual, pressure_system_.conductance()));
  const real negligible = enough * enough * projection_scaling_ * largest;
  real square = project_residual();
  direction.copy_from(projected);
  const SolveControl tight = control;
  for (int k = 0; k < most && square > negligible; ++k) {
    image = implicit_.mass() * halo(direction);
    unknowns_.restrict_to_unknowns(image);
    const real curvature = dot(direction, image);
    if (!(curvature > 0)) break;  // underflow
    const real step = square / curvature;
    flux = flux + step * direction;
    residual = residual - step * image;
    control.tolerance = std::clamp(of_rest * std::sqrt(negligible / square), tight.tolerance, loosest);
    const real before = std::exchange(square, project_residual());
    direction = projected + (square / before) * direction;
  }
  correct(plain, 1, wanted, flux, correction, tight, FirstGuess::zero);
  add(correction, multiplier);
}

void ClassicalStep::project(Field<Face>& flux) {
  forget_corrections();
  usual_surprise_ = -1;
  Field<Face> along(mesh_);
  along = implicit_.mass() * halo(flux);
  flux_.copy_from(flux);
  given_.impose(flux_);
  DroppingPressure multiplier(mesh_, outlets_);
  make_solenoidal(along, pairs_.fluxes(), outlets_.conditions_of_fluxes(false), tolerance::of_projection, flux_,
                  multiplier);
  round_and_balance(max_magnitude(flux_), flux_);
  state_.flux.copy_from(flux_);
  flux_old_.copy_from(flux_);
  outlets_.begin(outlets_.faces().sum(state_.flux));
  update_flow(Friction::Vorticity::anew);
}

/// M dU/dt + G p = -explicit_part - friction with D dU/dt = 0.
void ClassicalStep::compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& pressure) {
  friction_.expect_steady();
  if (drag_) drag_->add_along_duals(state_.flux, explicit_part);
  rate_ = 0 * rate_;
  compute_friction(state_.flux);
  flux_ = -explicit_part - implicit_.mass() * halo(rate_) - settings_.viscosity * along_duals_;
  rate = 0 * rate;
  DroppingPressure multiplier(mesh_, outlets_);
  make_solenoidal(flux_, std::vector<real>(pairs_.fluxes().size(), 0), outlets_.conditions_of_fluxes(true),
                  tolerance::of_start, rate, multiplier);
  pressure.copy_from(multiplier.values);
  std::vector<real> at_outlets = outlets_.now();
  for (std::size_t k = 0; k < at_outlets.size(); ++k) at_outlets[k] += multiplier.outlets[k];
  if (!outlets_.empty()) outlets_.show(at_outlets);
}

/// That of the last step; before the first one that of compute_rate().
void ClassicalStep::compute_pressure(Field<Face>& /*momentum*/, Field<Cell>& pressure) {
  if (dt_ > 0) pressure.copy_from(step_pressure_.values);
  pressure_system_.closed_parts().remove_means(pressure);
}

}  // namespace solenoid
