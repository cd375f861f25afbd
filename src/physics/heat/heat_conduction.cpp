#include "physics/heat/heat_conduction.hpp"

#include <algorithm>
#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/bring_in.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

namespace {

/// Pairs of nodes with a matrix coefficient, at least one of them an unknown; and those whose coefficient is positive
/// beyond round-off. Collective.
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

/// Whether a preconditioner built with one factor of W serves the other: x.A x differs by at most a factor of
/// `largest`.
bool is_near(real factor, real other) {
  constexpr real largest = 2;
  return factor <= largest * other && other <= largest * factor;
}

}  // namespace

HeatConduction::HeatConduction(const LocalMesh& mesh, HeatProblem problem, const HeatSolverSettings& settings,
                               real time)
    : NodalDiffusion(mesh, std::move(problem), time),
      settings_(settings),
      capacity_(mesh, data_.capacity()),
      is_given_(mesh),
      given_difference_(mesh),
      row_sums_(mesh),
      values_older_(mesh),
      right_side_(mesh) {
  settings_.heat = recorded_in(solves_, settings_.heat);
  unknowns_.set_prescribed(is_given_, 1);
}

void HeatConduction::set_temperature(const Coefficient<real>& initial) {
  set_values(initial);
  has_temperature_ = true;
  scheme_ = {};
}

/// K + H + capacity_factor W, and the sums of its rows.
MatrixRows HeatConduction::system_rows(real capacity_factor, std::vector<real>& row_sums) const {
  MatrixRows rows = data_.stiffness();
  row_sums = data_.exchange();  // those of K are 0
  for (int i = 0; i < rows.rows(); ++i) {
    row_sums[i] += capacity_factor * data_.capacity()[i];
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      if (rows.column[k] == i) rows.value[k] += row_sums[i];
    }
  }
  return rows;
}

/// The system for a step of dt [s]; 0: of the steady state. If only dt has changed, by little, the preconditioner is
/// kept: the first step, by Euler, uses that of the later steps. Collective.
void HeatConduction::update_system(real capacity_factor, real dt) {
  if (!system_is_stale_ && capacity_factor == capacity_factor_) return;
  const bool is_made_anew_each_time = data_.matrix_depends_on_time();  // a rebuild costs more than multigrid saves
  const bool stays = !is_made_anew_each_time && is_near(capacity_factor, preconditioned_factor_);
  if (!stays) {
    preconditioned_factor_ =
        is_made_anew_each_time || dt == 0 ? capacity_factor : time_coefficients(settings_.scheme, dt, dt).now / dt;
  }
  std::vector<real> row_sums;
  MatrixRows rows;
  if (!stays || system_is_stale_) {
    constexpr std::int64_t few = 20000;  // nodes: a single solve does not pay for the set-up of multigrid
    const bool is_quick = dt == 0 && mesh_.global_count<Node>() < few;
    const PreconditionerKind wanted = settings_.heat.preconditioner;
    const bool takes_jacobi = wanted == PreconditionerKind::automatic && (is_made_anew_each_time || is_quick);
    rows = system_rows(preconditioned_factor_, row_sums);
    system_.emplace(unknowns_, rows, takes_jacobi ? PreconditionerKind::jacobi : wanted);
    capacity_factor_ = preconditioned_factor_;
  }
  if (capacity_factor != capacity_factor_) {
    rows = system_rows(capacity_factor, row_sums);
    system_->set_matrix(rows);
  }
  row_sums_.from_host(row_sums);
  around_prescribed_.emplace(around_prescribed(rows, unknowns_.role()));
  system_->renew_images(past_);
  system_is_stale_ = false;
  capacity_factor_ = capacity_factor;
  system_->record_setup(settings_.heat);
}

void HeatConduction::build_system(real dt) {
  update_system(dt > 0 ? time_coefficients(settings_.scheme, dt, 0).now / dt : 0, dt);
  if (dt > 0) past_.reserve();
}

/// Solves with right_side_ for the temperature, whose value on entry is the first guess. The unknown is the difference
/// from the middle of the data's range: the solver's tolerance is independent of the zero of the temperature scale.
void HeatConduction::solve() {
  flux_is_of_now_ = false;
  const real middle = data_.bounds().middle();
  given_difference_ = given_ - middle * is_given_;
  work_ = right_side_ - middle * row_sums_ - *around_prescribed_ * halo(given_difference_);
  add(-middle, values_);
  if (dt_ > 0) {
    system_->solve(work_, values_, settings_.heat, past_);
  } else {
    system_->solve(work_, values_, settings_.heat);
  }
  add(middle, values_);
  prescribe(values_);
  has_temperature_ = true;
}

void HeatConduction::solve_steady() {
  real exchange = 0;
  for (const real h : data_.exchange()) exchange += h;
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
  update_system(0, 0);
  right_side_.copy_from(load_);
  if (!has_temperature_) add(data_.bounds().middle(), values_);
  solve();
}

void HeatConduction::advance(real dt) {
  require_on_all_ranks(has_temperature_, [] { return "a step of heat conduction starts from a temperature: set it"; });
  const real time = time_, dt_before = dt_;
  step_or_undo([&] { take_step(dt); },
               [&] {
                 flux_is_of_now_ = false;
                 std::swap(values_, values_old_);  // discards the solver's result
                 std::swap(values_old_, values_older_);
                 time_ = time;
                 dt_ = dt_before;
                 resample();
               });
}

void HeatConduction::take_step(real dt) {
  constexpr real round_off = 1e-9;  // a step within round-off of the last one keeps its matrix
  const real length = std::abs(dt - dt_) <= round_off * dt_ ? dt_ : dt;
  scheme_ = time_coefficients(settings_.scheme, length, dt_);
  work_.copy_from(values_);  // the first guess of the first step
  std::swap(values_older_, values_old_);
  std::swap(values_old_, values_);
  std::swap(values_, work_);
  time_ += dt;
  dt_ = length;
  resample();
  update_system(scheme_.now / dt_, dt_);
  right_side_ = load_ - capacity_ * ((scheme_.before / dt_) * values_old_ + (scheme_.earlier / dt_) * values_older_);
  solve();
}

/// Evaluates the data at `time_`.
void HeatConduction::resample(bool all) {
  data_.sample(time_, all);
  if (!data_.depends_on_time()) return;
  upload();
  capacity_.from_host(data_.capacity());
  system_is_stale_ = system_is_stale_ || data_.matrix_depends_on_time();
}

/// Excludes the matrix, which follows from the rest.
void HeatConduction::visit_state(StateVisitor& visitor) {
  visitor.number("time", time_);
  visitor.number("dt", dt_);
  visitor.number("preconditioned_factor", preconditioned_factor_);
  visitor.flag("has_temperature", has_temperature_);
  visitor.field("temperature", values_);
  visitor.field("temperature_old", values_old_);
  data_.bounds().visit_state("allowed", visitor);
  met_.visit_state("met", visitor);
  visitor.past("past_difference", past_);
}

void HeatConduction::state_restored() {
  flux_is_of_now_ = false;
  resample(true);  // their bounds were overwritten
  bring_in(unknowns_, past_);
  system_is_stale_ = true;
}

HeatBalance HeatConduction::balance() {
  require_on_all_ranks(system_.has_value(), [] { return "there is no balance of heat before the first solution"; });
  HeatBalance balance;
  const auto temperature = halo(values_);
  work_ = *around_prescribed_ * temperature - right_side_;  // the reaction, at prescribed nodes
  balance.through = patch_heat_.through(temperature, work_);
  balance.source = total(mesh_.comm(), data_.source());
  if (dt_ > 0) {
    balance.stored = sum(mesh_, capacity_ * ((scheme_.now / dt_) * values_ + (scheme_.before / dt_) * values_old_ +
                                             (scheme_.earlier / dt_) * values_older_));
  }
  return balance;
}

MaximumPrinciple HeatConduction::maximum_principle() const {
  MaximumPrinciple found;
  const Couplings couplings(unknowns_, data_.stiffness());
  found.couplings = couplings.all;
  found.positive_couplings = couplings.positive;
  const TemperatureBounds& bounds = data_.bounds();
  const Range range = this->range();
  found.lowest = range.low;
  found.highest = range.high;
  if (bounds.is_empty()) return found;
  if (bounds.has_low) found.low = bounds.low;
  if (bounds.has_high) found.high = bounds.high;

  constexpr real round_off = 1e-12;
  const real largest = std::max(std::abs(bounds.low), std::abs(bounds.high));
  const real slack = std::max(round_off * largest, 10 * settings_.heat.tolerance * (bounds.high - bounds.low));
  const std::vector<real> values = values_.to_host();
  real farthest = 0;
  for (int n = 0; n < values_.owned(); ++n) {
    const real beyond = std::max(found.low ? *found.low - values[n] : 0, found.high ? values[n] - *found.high : 0);
    if (beyond <= slack) continue;
    ++found.nodes_beyond;
    if (beyond > farthest) farthest = beyond, found.place = mesh_.part().points[n];
  }
  found.nodes_beyond = mesh_.comm().sum(found.nodes_beyond);
  found.place = mesh_.comm().of_least(-farthest, found.place);
  return found;
}

}  // namespace solenoid
