#include "physics/scalar/flux_limiter.hpp"

#include <algorithm>
#include <utility>

#include "field/assign.hpp"
#include "parallel/backend.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// Excess of the high-order flux over the low-order one, from a pair's first node to the other, over the step.
struct Excess {
  real dt, implicit, scale;
  const int* ends;
  View<NodePair, const real> q, mass, conductance;
  View<Node, const real> values, carried, change, low_change;
  View<NodePair> result;

  SOLENOID_HD void operator()(int i) const {
    const Index<NodePair> pair{i};
    const Index<Node> a{ends[2 * i]}, b{ends[2 * i + 1]};
    const real flow = scale * q[pair], k = conductance[pair], k_low = k > 0 ? k : 0;
    const real upstream = flow > 0 ? values[a] : values[b];
    const real by_flow = flow * ((carried[a] - upstream) + (carried[b] - upstream)) / 2;
    const real fall = values[a] - values[b], changes = change[a] - change[b];
    const real by_diffusion = k * (fall + implicit * changes) - k_low * (fall + (low_change[a] - low_change[b]));
    result[pair] = dt * (by_flow + by_diffusion) - mass[pair] * changes;
  }
};

/// The fractions of the inflow to a node and of its outflow that keep it within the range of the neighbouring values.
struct Shares {
  IncidenceView<Node, NodePair> pairs;
  const int* other;
  View<NodePair, const real> excess;
  View<Node, const real> values, low, mass, is_unknown;
  View<Node> rising, falling;

  SOLENOID_HD void operator()(int i) const {
    const Index<Node> a{i};
    real highest = values[a] > low[a] ? values[a] : low[a], lowest = values[a] < low[a] ? values[a] : low[a];
    real comes = 0, leaves = 0;
    for (const auto [pair, sign, slot] : pairs[a]) {
      const Index<Node> b{other[slot]};
      const real high_there = values[b] > low[b] ? values[b] : low[b],
                 low_there = values[b] < low[b] ? values[b] : low[b];
      highest = high_there > highest ? high_there : highest;
      lowest = low_there < lowest ? low_there : lowest;
      const real out = sign * excess[pair];
      if (out > 0) {
        leaves += out;
      } else {
        comes -= out;
      }
    }
    const real room_above = mass[a] * (highest - low[a]), room_below = mass[a] * (low[a] - lowest);
    const bool is_free = is_unknown[a] > 0;
    rising[a] = is_free && comes > room_above ? room_above / comes : 1;
    falling[a] = is_free && leaves > room_below ? room_below / leaves : 1;
  }
};

/// The low-order change plus the limited fluxes; the reaction at prescribed nodes.
struct Correct {
  real dt;
  IncidenceView<Node, NodePair> pairs;
  const int* other;
  View<NodePair, const real> excess;
  View<Node, const real> rising, falling, low_change, mass, is_unknown, from_low;
  View<Node> change, reaction;

  SOLENOID_HD void operator()(int i) const {
    const Index<Node> a{i};
    real comes = 0;
    for (const auto [pair, sign, slot] : pairs[a]) {
      const Index<Node> b{other[slot]};
      const real out = sign * excess[pair];
      const real from = out > 0 ? falling[a] : falling[b], to = out > 0 ? rising[b] : rising[a];
      comes -= (from < to ? from : to) * out;
    }
    if (is_unknown[a] > 0) {
      change[a] = low_change[a] + comes / mass[a];
      reaction[a] = 0;
    } else {
      reaction[a] = (mass[a] * change[a] - comes) / dt - from_low[a];
    }
  }
};

/// change = dt by / W at unknowns.
void set_change(real dt, const Field<Node>& by, const Field<Node>& mass, const Field<Node>& is_unknown,
                Field<Node>& change) {
  const auto in_a_second = by.view(), W = mass.view(), free = is_unknown.view();
  const auto result = change.view();
  forall(
      change.owned(), SOLENOID_KERNEL(int i) {
        const Index<Node> a{i};
        if (free[a] > 0) result[a] = dt * in_a_second[a] / W[a];
      });
}

}  // namespace

FluxLimiter::FluxLimiter(const Space<Node>& unknowns, const NodePairs& pairs, const DiffusionData& data)
    : unknowns_(unknowns),
      pairs_(pairs),
      monotone_(pairs, data, ScalarMatrices::Form::monotone),
      low_system_(unknowns, monotone_, data),
      is_unknown_(pairs.mesh()),
      low_change_(pairs.mesh()),
      low_(pairs.mesh()),
      right_side_(pairs.mesh()),
      work_(pairs.mesh()),
      reaction_(pairs.mesh()),
      excess_(pairs.layout()),
      share_rising_(pairs.mesh()),
      share_falling_(pairs.mesh()) {
  set_unknowns();
}

void FluxLimiter::set_unknowns() {
  is_unknown_.from_host(std::vector<real>(is_unknown_.owned(), 1));
  unknowns_.set_prescribed(is_unknown_, 0);
}

void FluxLimiter::renew_unknowns() {
  set_unknowns();
  low_system_.renew_unknowns();
}

void FluxLimiter::set_exchange(const DiffusionData& data) {
  monotone_.set_exchange(data);
  low_system_.renew_images();
}

void FluxLimiter::reserve(real dt, PreconditionerKind wanted) { low_system_.reserve(1 / dt, 1, wanted); }

/// Computes low_change_, and in right_side_ the low-order uptake of each node per second. The solver's error would lose
/// content: the change is computed once more from the fluxes of the solution.
void FluxLimiter::compute_low_order(const Step& step, const Field<Node>& change, const SolveControl& control,
                                    SolveReport& report) {
  step.carrier.convect(PairValue::upwind, halo(step.values), step.inflow, work_);
  monotone_.apply(0, 1, step.values, right_side_);
  right_side_ = step.load - right_side_ - work_;
  low_change_ = change - is_unknown_ * change;
  monotone_.apply(1 / step.dt, 1, low_change_, work_);
  work_ = right_side_ - work_;
  unknowns_.restrict_to_unknowns(work_);
  report = low_system_.solve(1 / step.dt, 1, work_, low_change_, control);
  monotone_.apply(0, 1, low_change_, work_);
  right_side_ = right_side_ - work_;
  set_change(step.dt, right_side_, monotone_.lumped(), is_unknown_, low_change_);
  low_ = step.values + low_change_;
}

SolveReport FluxLimiter::limit(const Step& step, Field<Node>& change, const SolveControl& control) {
  const SolveControl of_low = tightened(control, tolerance::of_range);
  SolveReport report;
  compute_low_order(step, change, of_low, report);
  const auto values = halo(step.values), carried = halo(step.carried), changes = halo(change), low = halo(low_),
             low_changes = halo(low_change_);
  forall(excess_.owned(),
         Excess{step.dt, step.implicit, real{1} / static_cast<real>(pairs_.crossing_factor()), pairs_.ends(),
                step.carrier.scaled().view(), step.matrices.mass().view(), step.matrices.conductance().view(),
                values.view(), carried.view(), changes.view(), low_changes.view(), excess_.view()});
  step.carrier.add_along_boundary(step.dt, carried, excess_);
  const auto excess = halo(excess_);
  forall(low_.owned(), Shares{pairs_.around().view(), pairs_.other(), excess.view(), values.view(), low.view(),
                              monotone_.lumped().view(), std::as_const(is_unknown_).view(), share_rising_.view(),
                              share_falling_.view()});
  const auto rising = halo(share_rising_), falling = halo(share_falling_);
  forall(low_.owned(),
         Correct{step.dt, pairs_.around().view(), pairs_.other(), excess.view(), rising.view(), falling.view(),
                 std::as_const(low_change_).view(), monotone_.lumped().view(), std::as_const(is_unknown_).view(),
                 std::as_const(right_side_).view(), change.view(), reaction_.view()});
  count_traffic(2 * pairs_.bytes_around());
  count_gathered(excess_, excess_, low_, share_rising_, share_falling_);
  return report;
}

}  // namespace solenoid
