#include "physics/flow/step/exact_flux_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "operators/nedelec.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "solve/scaled_rows.hpp"
#include "solve/solve_from_guess.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// W with B = W^-1; where there is no vorticity any.
std::vector<real> mass_of(Field<Edge>& inverse) {
  std::vector<real> mass = inverse.to_host();
  for (real& value : mass) value = value > 0 ? 1 / value : 1;
  return mass;
}

/// Of B R M C at free edges. Collective.
real largest_rate(const Space<Edge>& free_edges, const MatrixRows& curl_curl, const Field<Edge>& inverse_mass) {
  const std::vector<real> inverse = inverse_mass.to_host(), diagonal = curl_curl.diagonal();
  const auto is_free = [&](std::size_t e) { return free_edges.role()[e] == Space<Edge>::free; };
  real largest = 0;
  for (std::size_t e = 0; e < inverse.size(); ++e) {
    if (is_free(e)) largest = std::max(largest, inverse[e] * diagonal[e]);
  }
  largest = free_edges.mesh().comm().max(largest);
  if (largest == 0) return 0;  // there is no free edge
  const real unit = unit_for(largest);
  std::vector<real> scale;
  for (std::size_t e = 0; e < inverse.size(); ++e) scale.push_back(is_free(e) ? std::sqrt(unit * inverse[e]) : 0);
  Field<Edge> scales(free_edges.mesh(), scale);
  return static_cast<real>(largest_eigenvalue(free_edges, curl_curl, scales, false)) / unit;
}

NearInverse near_inverse(const HiptmairXu& preconditioner, PreconditionerKind kind) {
  if (kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi) return {};
  require_on_all_ranks(
      kind == PreconditionerKind::automatic || kind == PreconditionerKind::multigrid,
      [] {
        return "preconditioner in [solver.potential]: in space the exact step has \"multigrid\", \"jacobi\" and "
               "\"none\"";
      },
      ExitCode::bad_input);
  return {PreconditionerKind::multigrid, {}, &preconditioner};
}

/// The mean of its diagonal. Collective.
real mean_diagonal(const LocalMesh& mesh, const MatrixRows& rows) {
  PartialSum sum;
  for (const real value : rows.diagonal()) sum += value;
  return total(mesh.comm(), sum) / static_cast<real>(mesh.global_count<Edge>());
}

/// No potential on free edges may carry anything through a pair whose flux is given. Collective.
void require_closed_rims(const Space<Edge>& free_edges, const PairFaces& pairs, const std::vector<std::size_t>& given) {
  const LocalMesh& mesh = free_edges.mesh();
  Field<Face> surface(mesh);
  Field<Edge> rim(mesh);
  for (const std::size_t pair : given) {
    std::vector<real> one(pairs.count(), 0);
    one[pair] = 1;
    surface = 0 * surface;
    pairs.add(one, surface);
    rim = mesh.R * halo(surface);
    free_edges.restrict_to_unknowns(rim);
    const bool is_closed = max_magnitude(rim) == 0;
    require_on_all_ranks(
        is_closed,
        [&] {
          const PeriodicPair& names = mesh.part().pairs[pair];
          return message(
              "the flux through the periodic pair \"{}\", \"{}\" cannot be given in the exact step in space, as it "
              "borders on an outlet: give `pressure_drop`, or take method = \"classical\" in [flow]",
              names.first, names.second);
        },
        ExitCode::bad_input);
  }
}

/// Those beside the flux that is given through pairs. Collective.
std::int64_t count_free_loops(const Space<Edge>& free_edges, const FlowBoundaries& boundaries,
                              const SpanningTreeProjection& tree, const PairFaces& pairs,
                              const std::vector<std::size_t>& given) {
  require_closed_rims(free_edges, pairs, given);
  const std::int64_t loops = betti_number(free_edges.mesh(), boundaries, tree);
  require_on_all_ranks(
      loops >= std::ssize(given),
      [&] {
        return message(
            "the topology of the domain says {} loop{} of the flow, and `mass_flux` is given through {} periodic "
            "pair{}: the boundary gives what flows there already, or the loops cannot be told; leave it out, or take "
            "method = \"classical\" in [flow]",
            loops, loops == 1 ? "" : "s", given.size(), given.size() == 1 ? "" : "s");
      },
      ExitCode::bad_input);
  return loops - std::ssize(given);
}

/// The mesh itself, before there is anything to wait for.
const LocalMesh& require_possible_flow(const LocalMesh& mesh, const FlowStepSettings& settings) {
  require_on_all_ranks(settings.diffusion != DiffusionForm::face_average, [] {
    return "diffusion = \"face-average\" is for the classical step: take method = \"classical\" or another friction";
  });
  return mesh;
}

}  // namespace

ExactFluxStep::ExactFluxStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries,
                             real time, const WideHaloMesh* wide)
    : ExactFluxStep(mesh, settings, boundaries, time, wide,
                    solenoid::curl_curl(require_possible_flow(mesh, settings))) {}

ExactFluxStep::ExactFluxStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries,
                             real time, const WideHaloMesh* wide, const MatrixRows& curl_curl)
    : FlowStep(mesh, settings, std::move(boundaries), time, wide),
      recovery_(mesh, faces_.is_open(), settings.pressure.preconditioner),
      tree_(mesh, boundaries_),
      given_(mesh, boundaries_, tree_),
      roles_(roles_of_edges(mesh, boundaries_)),
      free_edges_(mesh, roles_),
      slots_(mesh, roles_, count_free_loops(free_edges_, boundaries_, tree_, pairs_.faces(), pairs_.driven())),
      unknowns_(mesh, slots_.marked(roles_, Space<Edge>::free)),
      curl_curl_(curl_curl),
      preconditioner_(free_edges_, curl_curl, curl_curl_, EdgeSmoothing::one_step),
      loops_(free_edges_, slots_, curl_curl_, mean_diagonal(mesh, curl_curl), preconditioner_, boundaries_, recovery_,
             tree_, pairs_.faces(), pairs_.driven()),
      with_friction_(friction_.implicit() ? std::make_optional<PotentialMomentumSystem>(mesh, *friction_.implicit())
                                          : std::nullopt),
      implicit_(unknowns_, curl_curl, curl_curl_, near_inverse(preconditioner_, settings.potential.preconditioner),
                Field<Edge>(mesh, mass_of(friction_.lumped_inverse_mass())), friction_.lumped_inverse_mass(),
                largest_rate(free_edges_, curl_curl, friction_.lumped_inverse_mass()), &loops_,
                with_friction_ ? &*with_friction_ : nullptr),
      circulation_now_{Field<Edge>(mesh), {}, 0},
      circulation_old_{Field<Edge>(mesh), {}, 0},
      circulation_begun_{Field<Edge>(mesh), {}, 0},
      circulation_of_forces_{Field<Edge>(mesh), {}, 0},
      flux_(mesh),
      flux_old_(mesh),
      along_duals_(mesh),
      cells_(mesh),
      increment_(mesh),
      right_side_(mesh),
      vorticity_(mesh) {
  solves_.record_setup(settings_.potential, setup_.seconds(), &preconditioner_.shape());
  begin();
}

Field<Edge>& ExactFluxStep::stream_function() {
  require_on_all_ranks(false, [] { return "a flow has a stream function in the plane alone"; });
  return increment_;
}

void ExactFluxStep::circulate(Field<Face>& along_duals, Circulation& circulation) {
  circulation.summed = max_magnitude(along_duals);
  circulation.around_edges = mesh_.R * halo(along_duals);
  circulation.along_loops = loops_.products(along_duals);
}

/// The same of divergence-free fluxes with this velocity of cells.
void ExactFluxStep::circulate(Field<Cell, Vec3>& velocity, Circulation& circulation) {
  integrate(halo(velocity), along_duals_);
  circulate(along_duals_, circulation);
}

/// Circulation of the explicit part and of the expected friction of flux_, whose own circulation this is.
void ExactFluxStep::circulate_forces(Field<Face>& explicit_part, const Field<Edge>& circulation) {
  if (friction_.implicit()) {
    friction_.compute_implicit(flux_, velocity_old_, along_duals_);
  } else {
    vorticity_ = circulation + friction_.boundary_circulation();
    friction_.add_extrapolated_rest(vorticity_);
    along_duals_ = mesh_.C * halo(vorticity_);
    interpolate(halo(along_duals_), cells_);
    integrate(halo(cells_), along_duals_);
  }
  along_duals_ = explicit_part + settings_.viscosity * along_duals_;
  circulate(along_duals_, circulation_of_forces_);
}

void ExactFluxStep::compute_circulation(Field<Edge>& circulation) {
  circulate(state_.velocity, circulation_now_);
  circulation.copy_from(circulation_now_.around_edges);
}

/// Multiples of the grid spacing of `largest`, with the given fluxes, and D U = 0 in bits.
void ExactFluxStep::round_flux(real largest, Field<Face>& flux) {
  round_to_grid(largest, flux);
  if (has_given_flow_) given_.impose_rounded(largest, flux);
  tree_.balance(flux);
  largest_ = largest;
}

/// Imposes the prescribed fluxes on a flow that had others; their divergence is removed up to `tolerance`, and then
/// along the tree.
void ExactFluxStep::impose_given(Field<Face>& flux, real tolerance) {
  given_.impose(flux);
  SolveControl control = settings_.pressure;
  control.tolerance = std::max(control.tolerance, tolerance);
  Field<Cell> sources(mesh_), multiplier(mesh_);
  sources = -(mesh_.D * halo(flux));
  constexpr real round_off = 64 * std::numeric_limits<real>::epsilon();
  if (max_magnitude(sources) > round_off * max_magnitude(flux)) {
    solves_.record_setup_once(settings_.pressure, recovery_.system());
    solves_.record(settings_.pressure, recovery_.solve_without_history(sources, multiplier, control));
    flux = flux - recovery_.conductance() * (mesh_.G * halo(multiplier));
  }
  round_flux(std::max(largest_, max_magnitude(flux)), flux);
}

/// For flux += C potential + sum_k factor_k Z_k in bits: rounds all to one grid spacing for which no sum overflows.
/// Returns the rounded factors.
std::vector<real> ExactFluxStep::round_to_spacing(Field<Face>& flux, std::vector<real> factors,
                                                  Field<Edge>& potential) {
  constexpr real spare = 4;  // of the 16 times that sums may grow to
  const real needed = std::max({max_magnitude(flux), max_magnitude(potential), loops_.largest_flux(factors)});
  if (largest_ == 0 || needed > spare * largest_) {
    round_flux(needed, flux);
  } else {
    largest_ = std::min(needed, largest_);  // multiples of the coarser grid spacing are those of the finer one
  }
  round_to_grid(largest_, potential);
  for (real& factor : factors) factor = rounded_to_grid(largest_ / HarmonicFluxes::cycles_are_multiples_of, factor);
  return factors;
}

/// right_side_ = `of_flux` minus the forces' circulation, at unknowns, those of harmonic fluxes too. Returns the
/// control of its solve, no tighter than round-off allows; nullopt if the right-hand side is round-off only.
std::optional<SolveControl> ExactFluxStep::complete_right_side(const Circulation* of_flux, SolveControl control) {
  constexpr real round_off = 256 * std::numeric_limits<real>::epsilon();
  const real summed = circulation_of_forces_.summed + (of_flux ? of_flux->summed : 0);
  std::vector<real> of_loops = circulation_of_forces_.along_loops;
  for (std::size_t k = 0; k < of_loops.size(); ++k) {
    of_loops[k] = (of_flux ? of_flux->along_loops[k] : 0) - of_loops[k];
  }
  if (of_flux) {
    right_side_ = of_flux->around_edges - circulation_of_forces_.around_edges;
  } else {
    right_side_ = -circulation_of_forces_.around_edges;
  }
  unknowns_.restrict_to_unknowns(right_side_);
  slots_.put(of_loops, right_side_);
  const real negligible = round_off * summed, largest = max_magnitude(right_side_);
  if (largest <= negligible) return std::nullopt;
  control.tolerance = std::max(control.tolerance, negligible / largest);
  return control;
}

/// Z^T M Z [s c] = the same right-hand side.
void ExactFluxStep::solve_tightly(const Circulation* of_flux, Field<Edge>& potential) {
  potential = 0 * potential;
  const SolveControl tight = tightened(settings_.potential, tolerance::of_start);
  if (const auto control = complete_right_side(of_flux, tight)) {
    solves_.record(settings_.potential, implicit_.solve_without_history(1, 0, right_side_, potential, *control));
  }
}

/// flux += C increment_ + sum_k factor_k Z_k.
void ExactFluxStep::add_in_bits(const std::vector<real>& factors, Field<Face>& flux) {
  const std::vector<real> rounded = round_to_spacing(flux, factors, increment_);
  flux = flux + mesh_.C * halo(increment_);
  loops_.add_cycles(rounded, flux);
}

/// Adds the fluxes through pairs that `flux` lacks of the prescribed ones, if more than round-off. Returns whether it
/// did. Collective.
bool ExactFluxStep::drive_pairs(Field<Face>& flux) {
  constexpr real round_off = tolerance::of_pair_fluxes;
  if (pairs_.driven().empty()) return false;
  const std::vector<real> through = pairs_.faces().sum(flux);
  std::vector<real> lacking;
  bool lacks = false;
  for (const std::size_t k : pairs_.driven()) {
    lacking.push_back(pairs_.fluxes()[k] - through[k]);
    lacks = lacks || std::abs(lacking.back()) > round_off * std::max(std::abs(pairs_.fluxes()[k]), largest_);
  }
  if (!lacks) return false;
  increment_ = 0 * increment_;
  add_in_bits(loops_.split_prescribed(lacking, increment_), flux);
  return true;
}

void ExactFluxStep::project(Field<Face>& flux) {
  constexpr real nearly = 1e-6;
  flux_.copy_from(flux);
  impose_given(flux_, nearly);
  drive_pairs(flux_);
  interpolate(halo(flux_), cells_);
  integrate(halo(cells_), along_duals_);
  circulate(along_duals_, circulation_of_forces_);
  interpolate(halo(flux), cells_);
  circulate(cells_, circulation_begun_);
  solve_tightly(&circulation_begun_, increment_);
  const std::vector<real> factors = loops_.split(slots_.extract(increment_), increment_);
  add_in_bits(factors, flux_);
  std::swap(state_.flux, flux_);
  flux_old_.copy_from(state_.flux);
  update_flow(Friction::Vorticity::anew);
}

void ExactFluxStep::solve_step(real dt, Field<Face>& explicit_part) {
  const real alpha = scheme_.now / dt, earlier = scheme_.earlier / dt, nu = settings_.viscosity;
  flux_.copy_from(state_.flux);
  constexpr real enough = 1e-2;
  bool changes = has_given_flow_ && boundaries_.velocity_depends_on_time();
  if (changes) impose_given(flux_, enough);
  changes = drive_pairs(flux_) || changes;
  if (changes) {
    interpolate(halo(flux_), cells_);
    circulate(cells_, circulation_begun_);
  }
  const Circulation& begun = changes ? circulation_begun_ : circulation_now_;

  circulate_forces(explicit_part, begun.around_edges);

  // Defect of the flux in the balance of momentum in time.
  Circulation& lacks = circulation_begun_;
  lacks.along_loops.resize(loops_.count());
  for (std::size_t k = 0; k < loops_.count(); ++k) {
    const real now = circulation_now_.along_loops[k];
    lacks.along_loops[k] =
        alpha * (now - begun.along_loops[k]) + (earlier != 0 ? earlier * (now - circulation_old_.along_loops[k]) : 0);
  }
  if (changes) {
    lacks.around_edges = alpha * (circulation_now_.around_edges - begun.around_edges) +
                         earlier * (circulation_now_.around_edges - circulation_old_.around_edges);
  } else {
    lacks.around_edges = earlier * (circulation_now_.around_edges - circulation_old_.around_edges);
  }
  lacks.summed = (alpha + std::abs(earlier)) * circulation_now_.summed;

  increment_ = 0 * increment_;  // the guess of the first step
  SolveControl wanted = settings_.potential;
  wanted.min_iterations = 1;  // no step is an extrapolation alone
  if (const auto control = complete_right_side(&lacks, wanted)) {
    solves_.record(settings_.potential, implicit_.solve(alpha, nu, right_side_, increment_, *control));
  } else {
    solves_.record(settings_.potential, {.converged = true});
  }
  const std::vector<real> factors = loops_.split(slots_.extract(increment_), increment_);
  add_in_bits(factors, flux_);
  if (!is_left_out_) std::swap(circulation_old_, circulation_now_);
  std::swap(flux_old_, state_.flux);
  std::swap(state_.flux, flux_);
  if (is_left_out_) std::swap(flux_old_, flux_);
}

/// Z^T M dU/dt = -Z^T (explicit part + nu M C omega), or with the implicit part of a rebuilt friction.
void ExactFluxStep::compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& /*pressure*/) {
  friction_.expect_steady();
  compute_circulation(right_side_);
  flux_.copy_from(state_.flux);
  circulate_forces(explicit_part, right_side_);
  solve_tightly(nullptr, increment_);
  const std::vector<real> c = slots_.extract(increment_);
  rate = mesh_.C * halo(increment_);
  loops_.add_flows(c, rate);
}

void ExactFluxStep::compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) {
  solves_.record_setup_once(settings_.pressure, recovery_.system());
  solves_.record(settings_.pressure, recovery_.recover(momentum, pressure, settings_.pressure));
}

void ExactFluxStep::build_systems() {
  FlowStep::build_systems();
  solves_.record_setup_once(settings_.pressure, recovery_.system());
  implicit_.reserve();
  recovery_.reserve();
}

void ExactFluxStep::visit_state(StateVisitor& visitor) {
  FlowStep::visit_state(visitor);
  visitor.number("largest_of_quantum", largest_);
  const bool has_flux = visitor.field("flux", state_.flux), has_old = visitor.field("flux_old", flux_old_);
  restored_ = !has_flux ? Restored::nothing : has_old ? Restored::all : Restored::fluxes;
  implicit_.visit_state(visitor);
  recovery_.visit_state(visitor);
}

void ExactFluxStep::state_restored() {
  implicit_.state_restored();
  recovery_.state_restored();
  interpolate(halo(flux_old_), cells_);
  circulate(cells_, circulation_old_);
  go_on(restored_);
}

}  // namespace solenoid
