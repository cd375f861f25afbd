#include "physics/heat_conduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/phases.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/p1.hpp"
#include "physics/reaction_shares.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

namespace {

bool is_given(const HeatProblem& problem, int patch) {
  return problem.boundary[patch].condition == ThermalCondition::temperature;
}

bool boundary_depends_on_time(const HeatProblem& problem) {
  return std::any_of(problem.boundary.begin(), problem.boundary.end(),
                     [](const ThermalBoundary& b) { return b.value.depends_on_time || b.coefficient.depends_on_time; });
}

std::vector<int> owned_prescribed(const Space<Node>& unknowns) {
  std::vector<int> nodes;
  for (int n = 0; n < unknowns.mesh().owned<Node>(); ++n) {
    if (unknowns.role()[n] == Space<Node>::prescribed) nodes.push_back(n);
  }
  return nodes;
}

/// The rows and columns of prescribed nodes; the other entries left out.
MatrixRows around_prescribed(const MatrixRows& rows, const std::vector<int>& role) {
  MatrixRows result;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      if (role[i] != Space<Node>::prescribed && role[j] != Space<Node>::prescribed) continue;
      result.column.push_back(j);
      result.value.push_back(rows.value[k]);
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// Pairs of nodes with a coefficient, at least one of them an unknown; and those whose coefficient is positive beyond
/// round-off. Collective.
struct Couplings {
  std::int64_t all = 0, positive = 0;
  Couplings(const Space<Node>& unknowns, const MatrixRows& stiffness) {
    constexpr real round_off = 1e-12;
    const std::vector<int>& role = unknowns.role();
    const std::vector<std::int64_t>& id = unknowns.mesh().numbering<Node>().global_id;
    const std::vector<real> diagonal = stiffness.diagonal();
    for (int i = 0; i < stiffness.rows(); ++i) {
      for (int k = stiffness.offset[i]; k < stiffness.offset[i + 1]; ++k) {
        const int j = stiffness.column[k];
        if (id[j] <= id[i] || (role[i] == Space<Node>::prescribed && role[j] == Space<Node>::prescribed)) continue;
        ++all;
        positive += stiffness.value[k] > round_off * diagonal[i];
      }
    }
    all = unknowns.mesh().comm().sum(all);
    positive = unknowns.mesh().comm().sum(positive);
  }
};

void add(real constant, Field<Node>& values) {
  const auto v = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) { v[Index<Node>{i}] += constant; });
}

/// values = given at these nodes.
void copy_at(const DeviceArray<int>& nodes, const Field<Node>& given, Field<Node>& values) {
  const auto from = given.view();
  const auto to = values.view();
  const int* const node = nodes.data();
  forall(
      static_cast<int>(nodes.size()), SOLENOID_KERNEL(int k) {
        const Index<Node> n{node[k]};
        to[n] = from[n];
      });
}

}  // namespace

real HeatBalance::supplied() const {
  real sum = std::max(source, real{0}) + std::max(-stored, real{0});
  for (const real heat : through) sum += std::max(heat, real{0});
  return sum;
}

real HeatBalance::imbalance() const {
  real sum = source - stored;
  for (const real heat : through) sum += heat;
  return sum;
}

HeatConduction::HeatConduction(const LocalMesh& mesh, HeatProblem problem, const HeatSolverSettings& settings,
                               real time)
    : mesh_(mesh),
      problem_(std::move(problem)),
      settings_(settings),
      time_(time),
      patch_nodes_(nodes_of_patches(mesh)),
      unknowns_(mesh, prescribed_on(mesh, [&](int patch) { return is_given(problem_, patch); })),
      gradient_(mesh),
      prescribed_(owned_prescribed(unknowns_)),
      conductivity_(mesh),
      capacity_(mesh),
      load_(mesh),
      given_(mesh),
      is_given_(mesh),
      given_difference_(mesh),
      row_sums_(mesh),
      temperature_(mesh),
      temperature_old_(mesh),
      temperature_older_(mesh),
      right_side_(mesh),
      work_(mesh),
      heat_flux_(mesh) {
  const auto shares = share_reactions(mesh, patch_nodes_, [&](int patch) { return is_given(problem_, patch); });
  std::int64_t shared = 0;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    const ReactionShare& share = shares[p];
    patch_heat_.push_back({DeviceArray<int>(patch_nodes_[p].node),
                           {},
                           {},
                           DeviceArray<real>(share.of_node),
                           DeviceArray<int>(share.cell),
                           DeviceArray<Vec3>(share.weight)});
    shared += std::ssize(share.cell);
  }
  shares_nodes_ = mesh.comm().sum(shared) > 0;
  unknowns_.set_prescribed(is_given_, 1);
  sample(true);
}

/// Evaluates the data at `time_`: all of them at first, later those that depend on time. Collective.
void HeatConduction::sample(bool first) {
  mesh_.comm().guard([&] {
    sample_materials(first);
    sample_boundary(first);
  });
  bounds_.share(mesh_.comm());
  if (first || problem_.conductivity.depends_on_time) {
    const Couplings couplings(unknowns_, stiffness_);
    couplings_ = couplings.all;
    positive_couplings_ = couplings.positive;
  }
}

void HeatConduction::sample_materials(bool first) {
  if (first || problem_.conductivity.depends_on_time) {
    const std::vector<real> conductivity = cell_means(mesh_, problem_.conductivity, time_);
    stiffness_ = p1_stiffness(mesh_, conductivity);
    conductivity_.from_host(std::span(conductivity).first(mesh_.owned<Cell>()));
    system_is_stale_ = true;
  }
  if (problem_.heat_capacity.value && (first || problem_.heat_capacity.depends_on_time)) {
    capacity_.from_host(p1_lumped_mass(mesh_, cell_means(mesh_, problem_.heat_capacity, time_)));
    system_is_stale_ = true;
  }
  if (first || problem_.source.depends_on_time) {
    source_loads_ = source_loads(mesh_, problem_.source, time_);
    source_ = 0;
    for (const real load : source_loads_) source_ += load;
    bounds_.include_heat(source_loads_);
  }
}

void HeatConduction::sample_boundary(bool first) {
  if (!first && !problem_.source.depends_on_time && !boundary_depends_on_time(problem_)) return;
  const auto& boundary = problem_.boundary;
  std::vector<real> exchange(mesh_.owned<Node>(), 0), load = source_loads_;
  std::vector<real> given(mesh_.owned<Node>(), 0), patches_there(mesh_.owned<Node>(), 0);
  for (std::size_t p = 0; p < boundary.size(); ++p) {
    const PatchNodes& patch = patch_nodes_[p];
    const ThermalBoundary& b = boundary[p];
    std::vector<real> constant(patch.node.size(), 0), coefficient(patch.node.size(), 0);
    if (b.condition == ThermalCondition::flux) {
      constant = patch_loads(mesh_, patch, b.value, time_);
      bounds_.include_heat(constant);
    } else {
      const std::vector<real> value = at_nodes(mesh_, patch, b.value, time_);
      bounds_.include(value);
      if (b.condition == ThermalCondition::convection) coefficient = patch_loads(mesh_, patch, b.coefficient, time_);
      for (std::size_t k = 0; k < value.size(); ++k) {
        constant[k] = coefficient[k] * value[k];
        if (b.condition == ThermalCondition::convection) continue;
        given[patch.node[k]] += value[k];
        ++patches_there[patch.node[k]];
      }
    }
    for (std::size_t k = 0; k < patch.node.size(); ++k) {
      load[patch.node[k]] += constant[k];
      exchange[patch.node[k]] += coefficient[k];
    }
    patch_heat_[p].constant = DeviceArray<real>(constant);
    patch_heat_[p].coefficient = DeviceArray<real>(coefficient);
  }
  for (std::size_t n = 0; n < given.size(); ++n) {
    if (patches_there[n] > 1) given[n] /= patches_there[n];
  }
  if (exchange != exchange_) system_is_stale_ = true;
  exchange_ = std::move(exchange);
  load_.from_host(load);
  given_.from_host(given);
}

void HeatConduction::set_temperature(const std::function<real(const Vec3& x)>& initial) {
  std::vector<real> values;
  mesh_.comm().guard([&] {
    for (int n = 0; n < mesh_.owned<Node>(); ++n) values.push_back(initial(mesh_.part().points[n]));
    bounds_.include(values);
  });
  bounds_.share(mesh_.comm());
  temperature_.from_host(values);
  has_temperature_ = true;
  copy_at(prescribed_, given_, temperature_);
}

/// K + H + capacity_factor W, from scratch where a part of it has changed.
void HeatConduction::update_system(real capacity_factor) {
  if (!system_is_stale_ && capacity_factor == capacity_factor_) return;
  const Stopwatch watch;
  MatrixRows rows = stiffness_;
  const std::vector<real> capacity = capacity_.to_host();
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      if (rows.column[k] == i) rows.value[k] += exchange_[i] + capacity_factor * capacity[i];
    }
  }
  row_sums_ = capacity_factor * capacity_;
  row_sums_ = row_sums_ + Field<Node>(mesh_, exchange_);
  around_prescribed_.emplace(around_prescribed(rows, unknowns_.role()));
  system_.emplace(unknowns_, rows, settings_.heat.preconditioner);
  system_is_stale_ = false;
  capacity_factor_ = capacity_factor;
  solves_.record_setup(settings_.heat, watch.seconds());
}

/// Solves with right_side_ for the temperature, whose value on entry is the first guess. The unknown is the difference
/// from a temperature in the middle of the data: what the solver's tolerance means does not depend on where the scale
/// of temperatures has its zero.
void HeatConduction::solve() {
  const real middle = bounds_.middle();
  given_difference_ = given_ - middle * is_given_;
  work_ = right_side_ - middle * row_sums_ - *around_prescribed_ * halo(given_difference_);
  add(-middle, temperature_);
  solves_.record(settings_.heat, system_->solve(work_, temperature_, settings_.heat));
  add(middle, temperature_);
  copy_at(prescribed_, given_, temperature_);
  has_temperature_ = true;
}

void HeatConduction::solve_steady() {
  real exchange = 0;
  for (const real h : exchange_) exchange += h;
  const bool is_held = mesh_.comm().sum(exchange) > 0 || mesh_.comm().sum(std::int64_t(prescribed_.size())) > 0;
  require_on_all_ranks(
      is_held,
      [] {
        return "the steady temperature is not determined: no patch has a given temperature or convection, so that a "
               "constant may be added to any solution";
      },
      ExitCode::bad_input);
  scheme_ = {0, 0, 0};
  dt_ = 0;
  update_system(0);
  right_side_.copy_from(load_);
  if (!has_temperature_) add(bounds_.middle(), temperature_);
  solve();
}

void HeatConduction::advance(real dt) {
  scheme_ = time_coefficients(settings_.scheme, dt, dt_);
  const real ratio = dt_ > 0 ? dt / dt_ : 0;
  work_ = (1 + ratio) * temperature_ - ratio * temperature_old_;
  std::swap(temperature_older_, temperature_old_);
  std::swap(temperature_old_, temperature_);
  std::swap(temperature_, work_);
  time_ += dt;
  dt_ = dt;
  sample(false);
  update_system(scheme_.now / dt);
  right_side_ =
      load_ - capacity_ * ((scheme_.before / dt) * temperature_old_ + (scheme_.earlier / dt) * temperature_older_);
  solve();
}

Field<Cell, Vec3>& HeatConduction::heat_flux() {
  gradient_.apply(halo(temperature_), heat_flux_);
  heat_flux_ = -(conductivity_ * heat_flux_);
  return heat_flux_;
}

HeatBalance HeatConduction::balance() {
  HeatBalance balance;
  work_ = *around_prescribed_ * halo(temperature_) - right_side_;  // the reaction, at prescribed nodes
  const auto reaction = std::as_const(work_).view();
  const auto t = std::as_const(temperature_).view();
  if (shares_nodes_) halo(heat_flux());
  const auto q = std::as_const(heat_flux_).view();
  for (const PatchHeat& patch : patch_heat_) {
    const int* const node = patch.node.data();
    const real* const constant = patch.constant.data();
    const real* const coefficient = patch.coefficient.data();
    const real* const share = patch.share.data();
    balance.through.push_back(reduce_sum(
        static_cast<int>(patch.node.size()), SOLENOID_KERNEL(int k) {
          const Index<Node> n{node[k]};
          return constant[k] - coefficient[k] * t[n] + (share[k] > 0 ? share[k] * reaction[n] : 0);
        }));
    const int* const cell = patch.cell.data();
    const Vec3* const weight = patch.weight.data();
    balance.through.back() += reduce_sum(
        static_cast<int>(patch.cell.size()),
        SOLENOID_KERNEL(int k) { return dot(weight[k], q[Index<Cell>{cell[k]}]); });
  }
  mesh_.comm().sum(std::span<real>(balance.through));
  balance.source = mesh_.comm().sum(source_);
  if (dt_ > 0) {
    balance.stored =
        sum(mesh_, capacity_ * ((scheme_.now / dt_) * temperature_ + (scheme_.before / dt_) * temperature_old_ +
                                (scheme_.earlier / dt_) * temperature_older_));
  }
  return balance;
}

HeatConduction::Range HeatConduction::range() const {
  constexpr real beyond_all = std::numeric_limits<real>::max();
  const auto t = temperature_.view();
  const real low = reduce_min(
      temperature_.owned(), beyond_all, SOLENOID_KERNEL(int i) { return t[Index<Node>{i}]; });
  const real high = reduce_max(
      temperature_.owned(), -beyond_all, SOLENOID_KERNEL(int i) { return t[Index<Node>{i}]; });
  return {mesh_.comm().min(low), mesh_.comm().max(high)};
}

MaximumPrinciple HeatConduction::maximum_principle() const {
  MaximumPrinciple found;
  found.couplings = couplings_;
  found.positive_couplings = positive_couplings_;
  const Range range = this->range();
  found.lowest = range.low;
  found.highest = range.high;
  if (bounds_.is_empty()) return found;
  if (bounds_.has_low) found.low = bounds_.low;
  if (bounds_.has_high) found.high = bounds_.high;

  constexpr real round_off = 1e-12;
  const real largest = std::max(std::abs(bounds_.low), std::abs(bounds_.high));
  const real slack = std::max(round_off * largest, 10 * settings_.heat.tolerance * (bounds_.high - bounds_.low));
  const std::vector<real> values = temperature_.to_host();
  real farthest = 0;
  for (int n = 0; n < temperature_.owned(); ++n) {
    const real beyond = std::max(found.low ? *found.low - values[n] : 0, found.high ? values[n] - *found.high : 0);
    if (beyond <= slack) continue;
    ++found.nodes_beyond;
    if (beyond > farthest) farthest = beyond, found.place = mesh_.part().points[n];
  }
  found.nodes_beyond = mesh_.comm().sum(found.nodes_beyond);
  found.place = mesh_.comm().of_least(-farthest, found.place);
  return found;
}

bool HeatConduction::depends_on_time() const {
  return problem_.conductivity.depends_on_time || problem_.heat_capacity.depends_on_time ||
         problem_.source.depends_on_time || boundary_depends_on_time(problem_);
}

real HeatConduction::rate_of_change() const {
  const Range range = this->range();
  if (dt_ == 0 || range.high <= range.low) return 0;
  const auto change = temperature_ - temperature_old_;
  const real squares = sum(mesh_, capacity_ * (change * change));
  const real capacity = sum(mesh_, operand(capacity_));
  return std::sqrt(squares / capacity) / (dt_ * (range.high - range.low));
}

}  // namespace solenoid
