#include "physics/scalar/scalar_transport.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "field/assign.hpp"
#include "field/inner_product.hpp"

namespace solenoid {

namespace {

/// F - (K + H) T - N* + c/dt M (T - T_old).
void compute_right_side(const ScalarRows& stiffness, const ScalarRows& mass, const Field<Node>& load,
                        Exchanged<Node> values, Exchanged<Node> difference, Field<Node>& forcing) {
  const auto F = load.view(), T = values.view(), d = difference.view();
  const auto b = forcing.view();  // holds N*
  forall(
      forcing.owned(), SOLENOID_KERNEL(int i) {
        const Index<Node> a{i};
        b[a] = F[a] - stiffness(T, a) - b[a] + mass(d, a);
      });
}

}  // namespace

ScalarTransport::ScalarTransport(const NodePairs& pairs, ScalarProblem problem, const ScalarSettings& settings,
                                 real time)
    : NodalDiffusion(pairs.mesh(), std::move(problem.diffusion), time),
      pairs_(pairs),
      settings_(settings),
      inflow_of_patch_(std::move(problem.inflow)),
      flow_(std::move(problem.flow)),
      matrices_(pairs, data_,
                settings.convection == ScalarConvection::upwind ? ScalarMatrices::Form::lumped
                                                                : ScalarMatrices::Form::consistent,
                problem.is_solid),
      system_(unknowns_, matrices_, data_),
      spread_(mesh_),
      difference_(mesh_),
      carried_(mesh_),
      change_(mesh_),
      forcing_(mesh_),
      carried_out_(mesh_.part().patches.size(), 0) {
  settings_.solver = recorded_in(solves_, settings_.solver);
  if (update_directions()) {
    set_unknowns();
    upload();
  }
  if (settings.convection == ScalarConvection::limited) limiter_.emplace(unknowns_, pairs, data_);
  matrices_.compute_diagonal(0, 1, spread_);
  sample_inflow();
}

/// Whether the flow direction at inlets may change.
bool ScalarTransport::inlets_turn() const { return flow_ && flow_->velocity_depends_on_time(); }

/// Inlets prescribe their values at the corners of the faces through which fluid enters at `time_`. Collective; true if
/// these nodes change on any rank.
bool ScalarTransport::update_directions() {
  if (!flow_) return false;
  if (!through_) through_.emplace(mesh_, *flow_);
  mesh_.comm().guard([&] { through_->sample(time_); });
  const std::vector<PatchNodes>& patches = data_.patch_nodes();
  std::vector<std::vector<char>> held(patches.size());
  for (int p = 0; p < static_cast<int>(patches.size()); ++p) {
    if (!std::holds_alternative<Inlet>(flow_->on(p))) continue;
    held[p].assign(patches[p].node.size(), 0);
    for (const PatchNodes::Side& side : patches[p].sides) {
      const auto face = static_cast<std::size_t>(side.boundary_face);
      if (mesh_.boundary()[face].orientation * through_->fluxes()[face] >= 0) continue;
      for (const int place : side.place) {
        if (place >= 0) held[p][place] = 1;
      }
    }
  }
  const bool is_other = data_.hold(std::move(held));
  return mesh_.comm().sum(std::int64_t{is_other}) > 0;
}

/// Evaluates the values of entering fluid at the corners of the boundary faces.
void ScalarTransport::sample_inflow() {
  const MeshPart& part = mesh_.part();
  const auto d = static_cast<std::size_t>(mesh_.dimension());
  std::vector<real> values(mesh_.boundary().size() * d, 0), is_given(values.size(), 0);
  mesh_.comm().guard([&] {
    for (int p = 0; p < static_cast<int>(inflow_of_patch_.size()); ++p) {
      if (!inflow_of_patch_[p]) continue;
      std::vector<std::size_t> corners;
      std::vector<Vec3> places;
      for (std::size_t i = 0; i < static_cast<std::size_t>(mesh_.boundary().size()); ++i) {
        const BoundaryFace& b = mesh_.boundary()[i];
        if (b.patch != p) continue;
        for (std::size_t k = 0; k < d; ++k) {
          corners.push_back(d * i + k);
          places.push_back(part.points[part.face_points_of(b.face)[k]]);
        }
      }
      const std::vector<real> there = inflow_of_patch_[p]->at(places, time_);
      for (std::size_t k = 0; k < corners.size(); ++k) values[corners[k]] = there[k], is_given[corners[k]] = 1;
      data_.bounds().include(there);
    }
  });
  data_.bounds().share(mesh_.comm());
  inflow_value_ = DeviceArray<real>(values);
  inflow_is_given_ = DeviceArray<real>(is_given);
}

bool ScalarTransport::depends_on_time() const {
  return data_.depends_on_time() || inlets_turn() ||
         std::any_of(inflow_of_patch_.begin(), inflow_of_patch_.end(),
                     [](const auto& of) { return of && of->depends_on_time(); });
}

void ScalarTransport::set_values(const Coefficient<real>& initial) {
  NodalDiffusion::set_values(initial);
  values_old_.copy_from(values_);
}

void ScalarTransport::begin_at(real time, const Coefficient<real>& initial) {
  time_ = time;
  resample();
  set_values(initial);
}

/// After a change of direction at inlets. Collective.
void ScalarTransport::renew_unknowns() {
  set_unknowns();
  system_.renew_unknowns();
  if (limiter_) limiter_->renew_unknowns();
}

/// Evaluates the data at `time_`.
void ScalarTransport::resample() {
  if (!depends_on_time()) return;
  data_.sample(time_);
  if (inlets_turn() && update_directions()) renew_unknowns();
  upload();
  if (data_.matrix_depends_on_time()) {
    matrices_.set_exchange(data_);
    system_.renew_images();
    if (limiter_) limiter_->set_exchange(data_);
  }
  sample_inflow();
}

real ScalarTransport::extrapolation(real dt) const {
  const TimeCoefficients scheme = time_coefficients(settings_.scheme, dt, dt_);
  return limiter_ ? -scheme.older / 2 : -scheme.older;
}

void ScalarTransport::advance(real dt, const DualFluxes& carrier) {
  const real time = time_;
  step_or_undo([&] { take_step(dt, carrier); },
               [&] {
                 time_ = time;
                 resample();
               });
}

void ScalarTransport::take_step(real dt, const DualFluxes& carrier) {
  const TimeCoefficients scheme = time_coefficients(settings_.scheme, dt, dt_);
  const bool is_euler = settings_.scheme == TimeScheme::euler;
  mass_factor_ = (limiter_ ? real{1} : scheme.now) / dt;
  past_ = (limiter_ ? real{0} : scheme.earlier) / dt;
  implicit_ = limiter_ && !is_euler ? real{0.5} : real{1};

  time_ += dt;
  resample();
  difference_ = values_ - values_old_;
  carried_ = values_ + extrapolation(dt) * difference_;
  const auto carried = halo(carried_);
  const bool is_upwind = settings_.convection == ScalarConvection::upwind;
  carrier.convect(is_upwind ? PairValue::upwind : PairValue::central, carried, inflow(), forcing_);
  carried_out_ = carrier.carried_out(limiter_ ? halo(values_) : carried, inflow());

  compute_right_side(matrices_.rows(0, 1), matrices_.rows(past_, 0), load_, halo(values_), halo(difference_), forcing_);
  count_traffic(2 * pairs_.bytes_around());
  count_gathered(values_, difference_);
  count_owned(load_, forcing_, forcing_);

  change_ = 0 * change_;
  if (depends_on_time() || given_may_jump_) {
    prescribe_change(change_);
    matrices_.apply(mass_factor_, implicit_, change_, work_);
    work_ = forcing_ - work_;
  } else {
    work_.copy_from(forcing_);
  }
  unknowns_.restrict_to_unknowns(work_);
  recorded(settings_.solver, [&](const SolveControl& control) {
    SolveReport report = system_.solve(mass_factor_, implicit_, work_, change_, control);
    if (limiter_) {
      const InflowValues entering = inflow();
      const SolveReport of_low =
          limiter_->limit({dt, implicit_, carrier, entering, matrices_, load_, values_, carried_}, change_, control);
      report.iterations += of_low.iterations;
      report.residual = std::max(report.residual, of_low.residual);
    }
    return report;
  });
  system_.record_setup(settings_.solver);
  std::swap(values_old_, values_);
  values_ = values_old_ + change_;
  prescribe(values_);
  flux_is_of_now_ = false;
  given_may_jump_ = false;
  dt_ = dt;
}

void ScalarTransport::revert_step() {
  std::swap(values_, values_old_);
  flux_is_of_now_ = false;
  time_ -= dt_;
  resample();
}

void ScalarTransport::build_system(real dt) {
  const real step = dt > 0 ? dt : 1;
  system_.reserve(1 / step, 1, settings_.solver.preconditioner);
  if (limiter_) limiter_->reserve(step, settings_.solver.preconditioner);
  system_.record_setup(settings_.solver);
}

HeatBalance ScalarTransport::balance() {
  HeatBalance balance;
  if (limiter_) {
    balance.through = patch_heat_.through(halo(limiter_->low_values()), limiter_->reaction());
    balance.stored = sum(mesh_, matrices_.lumped() * change_) / dt_;
  } else {
    matrices_.apply(mass_factor_, implicit_, change_, work_);
    work_ = work_ - forcing_;  // the reaction, at prescribed nodes
    balance.through = patch_heat_.through(halo(values_), work_);
    balance.stored = sum(mesh_, matrices_.lumped() * (mass_factor_ * change_ - past_ * difference_));
  }
  for (std::size_t p = 0; p < carried_out_.size(); ++p) balance.through[p] -= carried_out_[p];
  balance.source = total(mesh_.comm(), data_.source());
  return balance;
}

void ScalarTransport::compute_reaction(const ScalarMatrices& matrices, const Field<Node>& load, Field<Node>& reaction) {
  matrices.apply(mass_factor_, implicit_, change_, reaction);
  matrices.apply(0, 1, values_old_, work_);
  reaction = reaction + work_ - load;
  if (past_ == 0) return;
  matrices.apply(past_, 0, difference_, work_);
  reaction = reaction - work_;
}

real ScalarTransport::content() const { return sum(mesh_, matrices_.lumped() * values_); }

real ScalarTransport::longest_step(const DualFluxes& carrier) const {
  const real rate = settings_.convection == ScalarConvection::central
                        ? carrier.largest_growth(matrices_.lumped(), spread_)
                        : carrier.largest_rate(matrices_.lumped());
  return rate > 0 ? 1 / rate : std::numeric_limits<real>::infinity();
}

void ScalarTransport::visit_state(StateVisitor& visitor) {
  const std::string& name = settings_.solver.name;
  visitor.number(name + "_time", time_);
  visitor.number(name + "_dt", dt_);
  visitor.field(name + "_values", values_);
  visitor.field(name + "_values_old", values_old_);
  data_.bounds().visit_state(name + "_allowed", visitor);
  met_.visit_state(name + "_met", visitor);
  system_.visit_state(name, visitor);
  if (limiter_) limiter_->visit_state(name + "_low", visitor);
}

void ScalarTransport::state_restored() {
  flux_is_of_now_ = false;
  resample();
  given_may_jump_ = true;
  system_.renew_unknowns();
  if (limiter_) limiter_->renew_unknowns();
}

}  // namespace solenoid
