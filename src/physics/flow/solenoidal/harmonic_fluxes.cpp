#include "physics/flow/solenoidal/harmonic_fluxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "solve/dense_system.hpp"
#include "solve/multigrid/scatter.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// The `number`-th velocity field of a few waves about as long as the domain with random coefficients.
class SmoothVelocity {
 public:
  SmoothVelocity(const LocalMesh& mesh, int number) {
    Box box;
    for (const Vec3& point : mesh.part().points) box.include(point);
    const Comm& comm = mesh.comm();
    const auto least = [&](real value) { return -comm.max(-value); };
    const Vec3 low{least(box.low.x), least(box.low.y), least(box.low.z)};
    const Vec3 high{comm.max(box.high.x), comm.max(box.high.y), comm.max(box.high.z)};
    const Vec3 size = high - low;
    std::int64_t next = 1000 * static_cast<std::int64_t>(number);
    const auto random = [&] { return static_cast<real>(scattered_value(next++)); };
    constexpr int waves = 8, longest = 3;  // half waves across the domain
    for (int k = 0; k < waves; ++k) {
      const auto number_of = [&](real length) {
        return length > 0 ? longest * random() * std::numbers::pi_v<real> / length : real{0};
      };
      const Vec3 wave{number_of(size.x), number_of(size.y), number_of(size.z)};
      waves_.push_back({wave, {random(), random(), random()}, 4 * random() - dot(wave, low)});
    }
  }
  Vec3 operator()(const Vec3& x) const {
    Vec3 sum{};
    for (const Wave& wave : waves_) sum += std::cos(dot(wave.number, x) + wave.phase) * wave.amplitude;
    return sum;
  }

 private:
  struct Wave {
    Vec3 number, amplitude;
    real phase;
  };
  std::vector<Wave> waves_;
};

/// Rounds values up to 1 in magnitude to multiples of `step`, a power of two.
void round_to_multiples(real step, Field<Face>& values) {
  const real splitter = std::ldexp(real{1.5} * step, std::numeric_limits<real>::digits - 1);
  const auto x = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        x[f] = (x[f] + splitter) - splitter;
      });
}

/// Of the patches with prescribed flux, the one with the largest mean speed in the cells along it. Collective.
std::string fastest_patch(const Field<Face>& flow, const FlowBoundaries& boundaries) {
  const LocalMesh& mesh = flow.mesh();
  Field<Face> copy(mesh);
  copy.copy_from(flow);
  Field<Cell, Vec3> in_cells(mesh);
  interpolate(halo(copy), in_cells);
  halo(in_cells);
  const std::vector<Vec3> velocity = in_cells.all_to_host();
  const std::vector<std::string>& patches = mesh.part().patches;
  std::vector<PartialSum> parts(2 * patches.size());  // per patch the speeds, and the area
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || boundaries.outlet(b.patch)) continue;
    parts[2 * b.patch] += norm(b.outward_area) * norm(velocity[b.cell]);
    parts[2 * b.patch + 1] += norm(b.outward_area);
  }
  const std::vector<real> sums = totals(mesh.comm(), parts);
  std::string fastest;
  real most = 0;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    const real speed = sums[2 * p + 1] > 0 ? sums[2 * p] / sums[2 * p + 1] : 0;
    if (speed > most) most = speed, fastest = patches[p];
  }
  return fastest;
}

}  // namespace

/// A divergence-free flow in multiples of 2^-10, and the potential of its projection onto potentials.
struct HarmonicFluxes::Probe {
  Field<Face> cycle;
  Field<Edge> potential;
};

HarmonicFluxes::HarmonicFluxes(const Space<Edge>& free_edges, const GlobalUnknowns& slots, std::int64_t free_ones,
                               real mass_of_each, const Solve& solve, const FlowBoundaries& boundaries,
                               PressureSystem& pressure, SpanningTreeProjection& tree, const FluxSurfaces& pairs,
                               const std::vector<std::size_t>& given, const MemoryOf& /*scope*/)
    : slots_(slots), mass_(mass_of_each) {
  constexpr real nearly_none = 1e-3, little = 1e-2, loosest = 1e-6;
  constexpr int spare = 6;  // probes that may have little by chance
  const LocalMesh& mesh = free_edges.mesh();
  // In 2D loops without a slot are not coupled to potentials: R M H has to be 0 at free nodes.
  const real of_projection = mesh.dimension() == 3 ? loosest : tolerance::of_loops;
  const SolveControl of_pressure{"pressure, for loops", loosest, 1000, PreconditionerKind::automatic, 0, {}},
      of_potential{"potential, for loops", of_projection, 10000, PreconditionerKind::multigrid, 0, {}};
  Field<Cell> cells(mesh);
  Field<Cell, Vec3> in_cells(mesh);
  Field<Face> flow(mesh), mass(mesh);
  Field<Edge> circulation(mesh);
  std::vector<char> is_given(static_cast<std::size_t>(mesh.owned<Face>()), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned && !boundaries.outlet(b.patch)) is_given[b.face] = 1;
  }
  const Geometry& geometry = mesh.geometry();
  const std::size_t expected = static_cast<std::size_t>(free_ones) + given.size();
  const std::size_t probes = expected + (mesh.dimension() == 3 ? 1 : 0);
  int left_out = 0;
  for (int number = 0; number < static_cast<int>(probes) + left_out; ++number) {
    const SmoothVelocity velocity(mesh, number);
    std::vector<real> values;
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      const real through = geometry.face_area[f] * dot(geometry.face_normal[f], velocity(geometry.face_centre[f]));
      values.push_back(is_given[f] ? 0 : through);
    }
    Probe probe{Field<Face>(mesh, values), Field<Edge>(mesh)};
    cells = -(mesh.D * halo(probe.cycle));
    Field<Cell> multiplier(mesh);
    pressure.solve_without_history(cells, multiplier, of_pressure);
    probe.cycle = probe.cycle - pressure.conductance() * (mesh.G * halo(multiplier));
    const real largest = max_magnitude(probe.cycle);
    if (largest > 0) probe.cycle = (1 / largest) * probe.cycle;
    round_to_multiples(cycles_are_multiples_of, probe.cycle);
    tree.balance(cycles_are_multiples_of, probe.cycle);

    apply_face_mass(halo(probe.cycle), in_cells, mass);
    circulation = mesh.R * halo(mass);
    const real square = dot(probe.cycle, mass);
    free_edges.restrict_to_unknowns(circulation);
    solve(circulation, probe.potential, of_potential);
    flow = probe.cycle - mesh.C * halo(probe.potential);
    std::vector<real> shares;  // of the fluxes found so far
    for (std::size_t j = 0; j < count(); ++j) {
      apply_face_mass(halo(flow), in_cells, mass);
      shares.push_back(dot(flows_[j], mass) / mass_);
      flow = flow - shares[j] * flows_[j];
    }
    apply_face_mass(halo(flow), in_cells, mass);
    const real left = dot(flow, mass);
    const bool is_none = !(left > nearly_none * nearly_none * square);
    const bool is_one_more = count() == expected;
    if (!is_one_more && !(left > little * little * square) && left_out < spare) {
      ++left_out;
      continue;
    }
    require_on_all_ranks(
        is_none == is_one_more,
        [&] {
          return message(
              "the harmonic fluxes of this domain cannot be determined: its topology has {} loop{}, probing finds "
              "{} {}. Take method = \"classical\" in [flow], which need not know",
              expected, expected == 1 ? "" : "s", is_none ? "only" : "more than", count());
        },
        ExitCode::bad_input);
    if (!is_none) {
      circulation = mesh.R * halo(mass);
      keep(std::move(probe), flow, circulation, shares, std::sqrt(mass_of_each / left));
    }
  }
  for (std::vector<real>& factors : parts_.factors) factors.resize(cycles_.size(), 0);
  if (!given.empty()) leave_out(through_given(pairs, given));
  for (const Field<Face>& of_loop : flows_) patches_.push_back(fastest_patch(of_loop, boundaries));
}

void HarmonicFluxes::keep(Probe probe, Field<Face>& flow, Field<Edge>& circulation, const std::vector<real>& shares,
                          real scale) {
  std::vector<real> cycles(count() + 1, 0);
  cycles.back() = 1;
  for (std::size_t j = 0; j < shares.size(); ++j) {
    for (std::size_t k = 0; k <= j; ++k) cycles[k] -= shares[j] * parts_.factors[j][k];
    probe.potential = probe.potential - shares[j] * parts_.potentials[j];
  }
  for (real& factor : cycles) factor *= scale;
  probe.potential = scale * probe.potential;
  parts_.factors.push_back(std::move(cycles));
  circulations_.emplace_back(flow.mesh()) = scale * circulation;
  flows_.emplace_back(flow.mesh()) = scale * flow;
  largest_.push_back(max_magnitude(probe.cycle));
  cycles_.push_back(std::move(probe.cycle));
  parts_.potentials.push_back(std::move(probe.potential));
}

namespace {

real product(const std::vector<real>& a, const std::vector<real>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), real{0});
}

/// Removes from x its parts along the orthonormal `others`, scales it to length 1, and returns the length before.
real orthonormalize(const std::vector<std::vector<real>>& others, std::vector<real>& x) {
  for (int twice = 0; twice < 2; ++twice) {
    for (const std::vector<real>& other : others) {
      const real part = product(other, x);
      for (std::size_t k = 0; k < x.size(); ++k) x[k] -= part * other[k];
    }
  }
  const real left = std::sqrt(product(x, x));
  for (real& value : x) value = left > 0 ? value / left : 0;
  return left;
}

template <class L>
std::vector<Field<L>> combination(const std::vector<std::vector<real>>& rows, const std::vector<Field<L>>& fields) {
  std::vector<Field<L>> result;
  for (const std::vector<real>& row : rows) {
    Field<L>& sum = result.emplace_back(fields.front().mesh());
    for (std::size_t j = 0; j < row.size(); ++j) sum = sum + row[j] * fields[j];
  }
  return result;
}

}  // namespace

/// Per given pair, the flux of every flow through it.
HarmonicFluxes::Combinations HarmonicFluxes::through_given(const FluxSurfaces& pairs,
                                                           const std::vector<std::size_t>& given) const {
  Combinations through;
  for (const std::size_t pair : given) {
    std::vector<real>& row = through.emplace_back();
    for (const Field<Face>& flow : flows_) row.push_back(pairs.sum(flow)[pair]);
  }
  return through;
}

/// Replaces the flows, orthogonal and of equal mass, by combinations that carry nothing through given pairs, and for
/// each pair the one of least mass that carries 1 through it and nothing through the others.
void HarmonicFluxes::leave_out(const Combinations& through) {
  constexpr real nearly_none = 1e-3;
  real largest = 0;
  for (const Field<Face>& flow : flows_) largest = std::max(largest, max_magnitude(flow));
  Combinations basis;
  for (const std::vector<real>& row : through) {
    std::vector<real> direction = row;
    const real left = orthonormalize(basis, direction);
    require_on_all_ranks(
        left > nearly_none * std::max(std::sqrt(product(row, row)), largest),
        [] {
          return "`mass_flux` in [[periodic]]: the boundary, or what is given through other pairs, tells that flux "
                 "already: leave it out";
        },
        ExitCode::bad_input);
    basis.push_back(std::move(direction));
  }
  std::vector<real> matrix;  // fluxes of the basis through the pairs
  for (const std::vector<real>& row : through) {
    for (const std::vector<real>& direction : basis) matrix.push_back(product(row, direction));
  }
  Combinations of_given, of_others;
  for (std::size_t k = 0; k < through.size(); ++k) {
    std::vector<real> unit(through.size(), 0);
    unit[k] = 1;
    const std::vector<real> shares = solve_dense(matrix, unit);
    std::vector<real>& row = of_given.emplace_back(flows_.size(), 0);
    for (std::size_t j = 0; j < shares.size(); ++j) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] += shares[j] * basis[j][i];
    }
  }
  while (basis.size() < flows_.size()) {  // adds the unit vector with the largest part orthogonal to the basis
    std::vector<real> next;
    real most = 0;
    for (std::size_t k = 0; k < flows_.size(); ++k) {
      std::vector<real> unit(flows_.size(), 0);
      unit[k] = 1;
      const real left = orthonormalize(basis, unit);
      if (left > most) most = left, next = std::move(unit);
    }
    of_others.push_back(next);
    basis.push_back(std::move(next));
  }
  parts_of_given_ = combined(of_given);
  parts_ = combined(of_others);
  flows_ = combination(of_others, flows_);
  circulations_ = combination(of_others, circulations_);
}

HarmonicFluxes::InParts HarmonicFluxes::combined(const Combinations& rows) const {
  InParts result{{}, combination(rows, parts_.potentials)};
  for (const std::vector<real>& row : rows) {
    std::vector<real>& sum = result.factors.emplace_back(cycles_.size(), 0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += row[j] * parts_.factors[j][k];
    }
  }
  return result;
}

void HarmonicFluxes::add_circulations(const std::vector<real>& c, Field<Edge>& circulation) const {
  for (std::size_t k = 0; k < count(); ++k) circulation = circulation + c[k] * circulations_[k];
}

std::vector<real> HarmonicFluxes::products(const Field<Edge>& x) const {
  std::vector<real> result;
  for (const Field<Edge>& circulation : circulations_) result.push_back(dot(circulation, x));
  return result;
}

std::vector<real> HarmonicFluxes::products(const Field<Face>& x) const {
  std::vector<real> result;
  for (const Field<Face>& flow : flows_) result.push_back(dot(flow, x));
  return result;
}

std::vector<real> HarmonicFluxes::masses(const std::vector<real>& c) const {
  std::vector<real> result;
  for (std::size_t k = 0; k < count(); ++k) result.push_back(mass_ * c[k]);
  return result;
}

std::vector<real> HarmonicFluxes::products_of_circulations(const Field<Edge>& diagonal) const {
  std::vector<real> result;
  for (const Field<Edge>& a : circulations_) {
    for (const Field<Edge>& b : circulations_) result.push_back(dot(a, b, diagonal));
  }
  return result;
}

void HarmonicFluxes::add_flows(const std::vector<real>& c, Field<Face>& flux) const {
  for (std::size_t k = 0; k < count(); ++k) flux = flux + c[k] * flows_[k];
}

std::vector<real> HarmonicFluxes::InParts::split(const std::vector<real>& c, Field<Edge>& potential) const {
  std::vector<real> sums(factors.empty() ? 0 : factors.front().size(), 0);
  for (std::size_t k = 0; k < c.size(); ++k) {
    potential = potential - c[k] * potentials[k];
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += c[k] * factors[k][j];
  }
  return sums;
}

std::vector<real> HarmonicFluxes::split(const std::vector<real>& c, Field<Edge>& potential) const {
  return parts_.split(c, potential);
}

std::vector<real> HarmonicFluxes::split_prescribed(const std::vector<real>& through, Field<Edge>& potential) const {
  return parts_of_given_.split(through, potential);
}

real HarmonicFluxes::largest_flux(const std::vector<real>& factors) const {
  real largest = 0;
  for (std::size_t j = 0; j < factors.size(); ++j) largest += std::abs(factors[j]) * largest_[j];
  return largest;
}

void HarmonicFluxes::add_cycles(const std::vector<real>& factors, Field<Face>& flux) const {
  for (std::size_t j = 0; j < factors.size(); ++j) flux = flux + factors[j] * cycles_[j];
}

}  // namespace solenoid
