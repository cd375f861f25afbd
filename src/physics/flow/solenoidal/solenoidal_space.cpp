#include "physics/flow/solenoidal/solenoidal_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "field/largest_later.hpp"
#include "physics/flow/solenoidal/betti_number.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "solve/operator_solver.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// The mean of its diagonal. Collective.
real mean_diagonal(const LocalMesh& mesh, const MatrixRows& rows) {
  PartialSum sum;
  for (const real value : rows.diagonal()) sum += value;
  return total(mesh.comm(), sum) / static_cast<real>(mesh.global_count<Edge>());
}

/// No potential on free edges may have a flux through a pair whose flux is prescribed. Collective.
void require_closed_rims(const Space<Edge>& free_edges, const PairDrives& pairs) {
  const LocalMesh& mesh = free_edges.mesh();
  Field<Face> surface(mesh);
  Field<Edge> rim(mesh);
  for (const std::size_t pair : pairs.driven()) {
    std::vector<real> one(pairs.faces().count(), 0);
    one[pair] = 1;
    surface = 0 * surface;
    pairs.faces().add(one, surface);
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

/// Harmonic fluxes besides the prescribed ones through pairs. Collective.
std::int64_t count_free_loops(const Space<Edge>& free_edges, const FlowBoundaries& boundaries,
                              const StreamFunction* stream, const SpanningTreeProjection& tree,
                              const PairDrives& pairs) {
  if (stream) return stream->boundary().free_jumps();
  require_closed_rims(free_edges, pairs);
  const std::int64_t loops = betti_number(free_edges.mesh(), boundaries, tree), given = std::ssize(pairs.driven());
  require_on_all_ranks(
      loops >= given,
      [&] {
        return message(
            "the topology of the domain says {} loop{} of the flow, and `mass_flux` is given through {} periodic "
            "pair{}: the boundary gives what flows there already, or the loops cannot be told; leave it out, or take "
            "method = \"classical\" in [flow]",
            loops, loops == 1 ? "" : "s", given, given == 1 ? "" : "s");
      },
      ExitCode::bad_input);
  return loops - given;
}

/// Whether each loop finds a slot; on tetrahedra GlobalUnknowns says where not. Collective.
bool has_slots(const LocalMesh& mesh, const std::vector<int>& roles, std::int64_t loops) {
  if (mesh.dimension() == 3) return true;
  return mesh.comm().sum(std::count(roles.begin(), roles.begin() + mesh.owned<Edge>(), Space<Edge>::prescribed)) >=
         loops;
}

}  // namespace

Magnitude& Magnitude::operator=(real value) {
  known_ = value;
  pending_.clear();
  return *this;
}
void Magnitude::add(real factor, Pending<Sums<1>> of_this_rank) {
  pending_.emplace_back(factor, std::move(of_this_rank));
}
real Magnitude::over(const Comm& comm) {
  for (auto& [factor, largest] : pending_) known_ += factor * solenoid::over(comm, largest);
  pending_.clear();
  return known_;
}

SolenoidalSpace::SolenoidalSpace(const LocalMesh& mesh, const FlowBoundaries& boundaries, const PairDrives& pairs,
                                 const MatrixRows& laplacian, StreamFunction* stream, PressureSystem& pressure,
                                 SpanningTreeProjection& tree, PrescribedFluxes& given, const MemoryOf& /*scope*/)
    : SolenoidalSpace(mesh, boundaries, pairs, laplacian, stream, pressure, tree, given,
                      stream ? stream->boundary().roles() : roles_of_edges(mesh, boundaries)) {}

SolenoidalSpace::SolenoidalSpace(const LocalMesh& mesh, const FlowBoundaries& boundaries, const PairDrives& pairs,
                                 const MatrixRows& laplacian, StreamFunction* stream, PressureSystem& pressure,
                                 SpanningTreeProjection& tree, PrescribedFluxes& given, const std::vector<int>& roles)
    : mesh_(mesh),
      pairs_(pairs),
      on_nodes_(stream ? &stream->laplacian() : nullptr),
      tree_(tree),
      given_(given),
      free_edges_(mesh, roles),
      loop_count_(count_free_loops(free_edges_, boundaries, stream, tree, pairs)),
      slots_(mesh, roles, has_slots(mesh, roles, loop_count_) ? loop_count_ : 0),
      unknowns_(mesh, slots_.marked(roles, Space<Edge>::free)) {
  if (!on_nodes_) {
    matrix_.emplace(laplacian);
    on_edges_.emplace(free_edges_, laplacian, *matrix_, EdgeSmoothing::one_step);
  }
  OperatorSolver<Edge> solver(free_edges_);
  const auto solve = [&](const Field<Edge>& b, Field<Edge>& s, const SolveControl& control) {
    if (on_nodes_) return on_nodes_->system.solve(b, s, control);
    return solver.solve(MatrixOperator<Edge>{*matrix_}, *on_edges_, b, s, control);
  };
  loops_.emplace(free_edges_, slots_, loop_count_, mean_diagonal(mesh, laplacian), solve, boundaries, pressure, tree,
                 pairs.faces(), pairs.driven());
}

void SolenoidalSpace::circulate(Field<Face>& along_duals, Circulation& circulation) const {
  circulation.summed = 0;
  circulation.summed.add(1, begin_max_magnitude(along_duals));
  circulation.around_edges = mesh_.R * halo(along_duals);
  circulation.along_loops = loops_->products(along_duals);
}

void SolenoidalSpace::add_curl(real factor, Field<Edge>& x, Circulation& circulation) const {
  circulation.summed.add(factor * loops_->mass(), begin_max_magnitude(x));  // mass: the mean diagonal of R M C
  circulation.around_edges = circulation.around_edges + factor * (laplacian() * halo(x));
  const std::vector<real> along_loops = loops_->products(x);
  for (std::size_t k = 0; k < along_loops.size(); ++k) circulation.along_loops[k] += factor * along_loops[k];
}

std::optional<real> SolenoidalSpace::subtract_forces(Circulation& forces, Circulation& right_side) {
  constexpr real round_off = 256 * std::numeric_limits<real>::epsilon();
  for (std::size_t k = 0; k < forces.along_loops.size(); ++k) right_side.along_loops[k] -= forces.along_loops[k];
  of_loops_ = right_side.along_loops;
  Field<Edge>& at_edges = right_side.around_edges;
  at_edges = at_edges - forces.around_edges;
  unknowns_.restrict_to_unknowns(at_edges);
  if (slots_.count() > 0) slots_.put(of_loops_, at_edges);
  const Comm& comm = mesh_.comm();
  Pending<Sums<1>> of_edges = begin_max_magnitude(at_edges);
  const real largest = over(comm, of_edges);  // begun last: the host waits once
  const real negligible = round_off * (forces.summed.over(comm) + right_side.summed.over(comm));
  if (largest <= negligible) return std::nullopt;
  return negligible / largest;
}

std::vector<real> SolenoidalSpace::extract_factors(real alpha, Field<Edge>& s) const {
  if (slots_.count() > 0 || loops_->count() == 0) return slots_.extract(s);
  std::vector<real> c = of_loops_;
  for (real& value : c) value /= alpha * loops_->mass();
  return c;
}

void SolenoidalSpace::round(real largest, Field<Face>& flux) {
  round_to_grid(largest, flux);
  given_.impose_rounded(largest, flux);
  tree_.balance(grid_spacing(largest), flux);
  largest_ = largest;
}

bool SolenoidalSpace::fits_grid(real largest) const {
  constexpr real spare = 4;  // of the 16 times that sums may grow to
  return largest_ > 0 && largest <= spare * largest_;
}

/// For sum = flux + C potential + sum_k factor_k Z_k in bits: rounds all to one grid spacing for which no sum
/// overflows, of the flux a copy in `sum` where its grid is too fine. Returns the flux as rounded, and the rounded
/// factors.
std::pair<const Field<Face>&, std::vector<real>> SolenoidalSpace::round_to_spacing(const Field<Face>& flux,
                                                                                   std::vector<real> factors,
                                                                                   Field<Edge>& potential,
                                                                                   Field<Face>& sum) {
  const auto [of_flux, of_potential] = max_magnitudes(flux, potential);
  const real needed = std::max({of_flux, of_potential, loops_->largest_flux(factors)});
  const bool fits = fits_grid(needed);
  if (fits) {
    largest_ = std::min(needed, largest_);  // multiples of the coarser grid spacing are those of the finer one
  } else {
    if (&sum != &flux) sum.copy_from(flux);
    round(needed, sum);
  }
  round_to_grid(largest_, potential);
  for (real& factor : factors) factor = rounded_to_grid(largest_ / HarmonicFluxes::cycles_are_multiples_of, factor);
  return {fits ? flux : sum, std::move(factors)};
}

void SolenoidalSpace::add(const std::vector<real>& c, Field<Edge>& s, const Field<Face>& flux, Field<Face>& sum) {
  const auto& [from, factors] = round_to_spacing(flux, loops_->split(c, s), s, sum);
  sum = from + mesh_.C * halo(s);
  loops_->add_cycles(factors, sum);
}

void SolenoidalSpace::lift(Field<Edge>& s, Field<Face>& flux) {
  const bool fits = fits_grid(std::max(max_magnitude(flux), max_magnitude(s)));
  if (fits) round_to_grid(largest_, s);
  flux = flux + mesh_.C * halo(s);
  if (!fits) round(std::max(largest_, max_magnitude(flux)), flux);
}

bool SolenoidalSpace::drive_pairs(Field<Edge>& work, Field<Face>& flux) {
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
  work = 0 * work;
  const std::vector<real> factors = loops_->split_prescribed(lacking, work);
  flux = flux + mesh_.C * halo(work);
  loops_->add_cycles(factors, flux);
  round(std::max(largest_, max_magnitude(flux)), flux);  // in finer steps than those of the factors
  return true;
}

}  // namespace solenoid
