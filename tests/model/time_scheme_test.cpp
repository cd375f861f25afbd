/// Time coefficients and the length of steps.
#include "model/time_scheme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

namespace solenoid {
namespace {

constexpr real unlimited = std::numeric_limits<real>::infinity();

TEST(TimeScheme, DifferentiatesAndExtrapolatesParabolasExactly) {
  for (real ratio : {0.5, 1.0, 1.2}) {
    const real dt_old = 0.1, dt = ratio * dt_old, t = 0.7;
    const TimeCoefficients c = time_coefficients(TimeScheme::second_order, dt, dt_old);
    const auto u = [](real s) { return 3 - 2 * s + 5 * s * s; };
    EXPECT_NEAR((c.now * u(t + dt) + c.before * u(t) + c.earlier * u(t - dt_old)) / dt, -2 + 10 * (t + dt), 1e-12);
    const auto line = [](real s) { return 3 - 2 * s; };
    EXPECT_NEAR(c.recent * line(t) + c.older * line(t - dt_old), line(t + dt), 1e-14);
  }
}

TEST(TimeScheme, TheFirstStepIsEuler) {
  const TimeCoefficients c = time_coefficients(TimeScheme::second_order, 0.1, 0);
  EXPECT_EQ(c.now, 1);
  EXPECT_EQ(c.before, -1);
  EXPECT_EQ(c.earlier, 0);
  EXPECT_EQ(c.recent, 1);
}

TEST(TimeScheme, AStepThatGrowsBeyondStabilityIsEuler) {
  EXPECT_EQ(time_coefficients(TimeScheme::second_order, 2.5, 1).earlier, 0);
  EXPECT_NE(time_coefficients(TimeScheme::second_order, 2.3, 1).earlier, 0);
}

TEST(TimeScheme, AFixedStepLeavesNoSliver) {
  real shortest = 1;
  for (real time = 0; time < 1 - 1e-9;) {
    const real dt = next_step({0.0033333333, 0, 0}, 0, 0, time, 1);
    shortest = std::min(shortest, dt);
    time += dt;
  }
  EXPECT_GT(shortest, 0.0033333333 / 2);
}

TEST(TimeScheme, StepsLandOnTheTarget) {
  const StepControl fixed{0.3, 0, 0};
  real time = 0;
  int steps = 0;
  for (real dt = 0; time < 1 - 1e-12; time += dt, ++steps) dt = next_step(fixed, 0, dt, time, 1);
  EXPECT_EQ(steps, 4);
  EXPECT_NEAR(time, 1, 1e-15);

  const StepControl tenth{0.1, 0, 0};  // ten steps of 0.1, no sliver from round-off
  time = 0, steps = 0;
  for (real dt = 0; time < 1 - 1e-12; time += dt, ++steps) dt = next_step(tenth, 0, dt, time, 1);
  EXPECT_EQ(steps, 10);
}

/// Of values at 0, -last and -last - before.
real extrapolated(const Extrapolation& weights, const LastSteps& steps, const std::function<real(real)>& value) {
  return weights.recent * value(0) + weights.older * value(-steps.last) +
         weights.oldest * value(-steps.last - steps.before);
}

TimeCoefficients scheme_of(const LastSteps& steps) {
  return time_coefficients(TimeScheme::second_order, steps.dt, steps.last);
}

TEST(TimeScheme, DampingExtrapolationIsHalfOfTheWayToTheParabola) {
  for (const LastSteps& steps : {LastSteps{1, 1, 1}, LastSteps{0.1, 0.2, 0.15}, LastSteps{0.3, 0.2, 0.25}}) {
    const Extrapolation weights = damping_extrapolation(scheme_of(steps), steps, false);
    EXPECT_NEAR(extrapolated(weights, steps, [](real t) { return 3 - 2 * t; }), 3 - 2 * steps.dt, 1e-14);
    const real linear = -steps.dt * steps.last, parabola = steps.dt * steps.dt;  // of t^2
    EXPECT_NEAR(extrapolated(weights, steps, [](real t) { return t * t; }), (linear + parabola) / 2, 1e-14);
  }
  const LastSteps equal{1, 1, 1};
  const Extrapolation even = damping_extrapolation(scheme_of(equal), equal, true);
  EXPECT_DOUBLE_EQ(even.recent, 2.5);
  EXPECT_DOUBLE_EQ(even.older, -2);
  EXPECT_DOUBLE_EQ(even.oldest, 0.5);
  for (const LastSteps& steps : {LastSteps{1, 1, 0}, LastSteps{1, 1, 0.1}}) {
    EXPECT_EQ(damping_extrapolation(scheme_of(steps), steps, false).oldest, 0);
    EXPECT_EQ(damping_extrapolation(scheme_of(steps), steps, false).recent, 2);
  }
  EXPECT_EQ(damping_extrapolation({}, equal, false).recent, 1);
}

/// Of u' = i omega u - K u, where the implicit part is K_0 of what differs from the expected value: |u| after 3000 of
/// these steps.
real left_of(real omega, real friction, real implicit, const std::function<real(int)>& step) {
  std::complex<real> u = 1, old = 1, older = 1;
  LastSteps steps{step(2), step(1), step(0)};
  bool grew = false;
  for (int k = 3; k < 3000; ++k) {
    steps = {step(k), steps.dt, steps.last};
    const TimeCoefficients c = scheme_of(steps);
    const auto [recent, second, third] = damping_extrapolation(c, steps, grew);
    grew = steps.dt > steps.last;
    const std::complex<real> expected = recent * u + second * old + third * older;
    const std::complex<real> rate = std::complex<real>(implicit - friction, omega) * expected;
    const std::complex<real> next = (steps.dt * rate - c.before * u - c.earlier * old) / (c.now + steps.dt * implicit);
    older = old, old = u, u = next;
  }
  return std::abs(u);
}

TEST(TimeScheme, DampingExtrapolationIsStableForOscillationsAndForFriction) {
  const std::vector<std::function<real(int)>> kinds{
      [](int) { return real{1}; }, [](int k) { return 1 - real{0.03} * uneven_place(k); },
      [](int k) { return real{0.85} + real{0.15} * std::sin(real{0.3} * static_cast<real>(k)); }};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (const real omega : {0.2, 0.4, 0.55, 0.64}) {
      EXPECT_LE(left_of(omega, 0, 0, kinds[kind]), 1) << omega << " " << kind;
    }
    for (const real friction : {0.1, 1.0, 10.0, 1e3}) {
      for (const real ratio : {0.02, 0.3, 0.8, 1.0, 1.15}) {
        EXPECT_LE(left_of(0, friction, friction / ratio, kinds[kind]), 1) << friction << " " << ratio << " " << kind;
      }
    }
  }
  const auto doubling = [](int k) { return std::pow(real{1.2}, static_cast<real>(k % 12)); };
  for (const real ratio : {0.02, 0.3, 0.8, 1.0, 1.15}) EXPECT_LE(left_of(0, 1e3, 1e3 / ratio, doubling), 1) << ratio;
}

TEST(TimeScheme, CourantStepsGrowByAFifthAtMostAndShareTheRest) {
  const StepControl courant{0, 0.5, 0};
  EXPECT_DOUBLE_EQ(next_step(courant, 50, 0, 0, 100), 0.01);
  EXPECT_DOUBLE_EQ(next_step(courant, 5, 0.01, 0, 100), real{100} / std::ceil(100 / 0.012));
  EXPECT_DOUBLE_EQ(next_step(courant, 50, 0.01, 0, 0.011), 0.0055);
  EXPECT_LE(next_step({0, 0.5, 0.002}, 50, 0.01, 0, 100), 0.002);
}

TEST(TimeScheme, AShortStepIsLeftOutOfTheHistory) {
  StepHistory history;
  EXPECT_FALSE(history.leaves_out(1));
  history.add(1);
  for (const real ratio : {0.4, 1e-2, 1e-8}) {
    StepHistory after = history;
    EXPECT_TRUE(after.leaves_out(ratio)) << ratio;
    after.add(ratio);
    EXPECT_EQ(after.span, 1 + ratio);
    EXPECT_NE(time_coefficients(TimeScheme::second_order, 1, after.span).earlier, 0);
  }
  for (const real ratio : {0.42, 1.0, 10.0}) {
    StepHistory after = history;
    EXPECT_FALSE(after.leaves_out(ratio)) << ratio;
    after.add(ratio);
    EXPECT_EQ(after.span, ratio);
  }
}

TEST(TimeScheme, StepsThatStayShortMoveTheHistoryAlong) {
  for (const real dt : {0.3, 0.1, 1e-3}) {
    StepHistory history;
    history.add(1);
    int steps = 0;
    while (history.span > dt) history.add(dt), ++steps;
    EXPECT_LE(steps, 4) << dt;
    history.add(dt);
    EXPECT_EQ(history.span, dt);
  }
}

TEST(TimeScheme, AfterALandingStepsByCflAreWhatTheyWere) {
  const StepControl courant{0, 0.5, 0};
  constexpr real rate = 50;  // steps of .01
  StepHistory history;
  StepGrowth growth;
  real time = 0, before = 0;
  for (const real target : {0.999, 0.999 + 1e-7, 0.9991, 1.0035, 2.0}) {
    while (time < target * (1 - 1e-12)) {
      const real reference = growth.reference(history.span), dt = next_step(courant, rate, reference, time, target);
      EXPECT_LE(dt, 0.01 * (1 + 1e-12));
      EXPECT_TRUE(before == 0 || dt <= 2.4 * history.span);
      growth.add(courant, rate, dt, next_step(courant, rate, reference, time, unlimited));
      history.add(dt);
      time += dt;
      before = dt;
    }
    if (target == 2) break;
    const real next = next_step(courant, rate, growth.reference(history.span), target, 100);
    EXPECT_GT(next, target == real{1.0035} ? 0.008 : 0.00999) << target;
  }
}

struct StepsTaken {
  std::vector<real> steps;
  int of_euler = 0;        ///< after the first
  real least_share = 1;    ///< of the allowed step, where the next time to hit is farther than that
  bool hits_times = true;  ///< to the bit
};

/// The steps of a run that hits these times, with rate(time).
StepsTaken steps_taken(const StepControl& control, const std::function<real(real)>& rate,
                       const std::vector<real>& times) {
  StepsTaken taken;
  StepHistory history;
  StepGrowth growth;
  real time = 0;
  for (const real target : times) {
    while (time < target * (1 - 1e-12)) {
      const real reference = growth.reference(history.span), now = rate(time);
      const real dt = next_step(control, now, reference, time, target);
      const real allowed = next_step(control, now, reference, time, unlimited);
      EXPECT_LE(dt, allowed * (1 + 1e-8));
      if (target - time > allowed) taken.least_share = std::min(taken.least_share, dt / allowed);
      if (history.span > 0 && grows_beyond_stability(dt, history.span)) ++taken.of_euler;
      growth.add(control, now, dt, allowed);
      history.add(dt);
      time += dt;
      taken.steps.push_back(dt);
    }
    taken.hits_times = taken.hits_times && time == target;
  }
  return taken;
}

/// By `cfl` and by `step`, from the start and amidst a run: times to hit 1e-7 apart cost a step each, and what is lost
/// by the division of the rest.
TEST(TimeScheme, ATimeToHitCostsNoGrowth) {
  const auto steady = [](real) { return real{50}; };
  const std::vector<real> at_start{1e-7, 1}, twice{0.3333333, 0.3333334, 1},
      many{1e-7, 2e-7, 3e-7, 0.5, 0.5 + 1e-7, 0.5 + 2e-7, 0.5 + 3e-7, 0.5 + 4e-7, 0.5 + 5e-7, 1};
  for (const StepControl& control : {StepControl{0, 0.5, 0}, StepControl{0.01, 0, 0}, StepControl{0, 0.7, 0.01}}) {
    for (const std::vector<real>& times : {at_start, twice, many}) {
      const StepsTaken taken = steps_taken(control, steady, times);
      EXPECT_LE(taken.steps.size(), 100 + times.size());
      EXPECT_GT(taken.steps.back(), 0.0099);
      EXPECT_GT(taken.least_share, 0.98);
      EXPECT_LE(taken.of_euler, times == many ? 2 : times == at_start ? 1 : 0);
      EXPECT_TRUE(taken.hits_times);
    }
  }
}

/// Whatever the times and however the flow accelerates, no step is less than half of the allowed one but where the next
/// time to hit is nearer.
TEST(TimeScheme, NoStepIsASliverButBetweenTimesThatAreNear) {
  const auto accelerating = [](real time) { return 40 + 30 * time + 5 * std::sin(30 * time); };
  for (const StepControl& control : {StepControl{0, 0.5, 0}, StepControl{0.01, 0, 0}}) {
    std::vector<real> times;
    for (int k = 1; k <= 200; ++k) times.push_back(uneven_place(k));
    times.push_back(0.31 + 1e-8);
    times.push_back(0.31);
    std::sort(times.begin(), times.end());
    const StepsTaken taken = steps_taken(control, accelerating, times);
    EXPECT_GT(taken.least_share, 0.499);
    EXPECT_TRUE(taken.hits_times);
    EXPECT_EQ(taken.of_euler, 0);
  }
}

TEST(TimeScheme, StepsByCflGrowByAFifthFromTheLongestThatTheFlowAllows) {
  const StepControl courant{0, 0.5, 0};
  StepHistory history;
  StepGrowth growth;
  const auto take = [&](real rate) {
    const real dt = next_step(courant, rate, growth.reference(history.span), 0, 1e6);
    growth.add(courant, rate, dt, dt);
    history.add(dt);
    return dt;
  };
  EXPECT_NEAR(take(50), 0.01, 1e-6);
  EXPECT_NEAR(take(500), 0.001, 1e-6);  // the flow is faster for a step
  EXPECT_NEAR(take(50), 0.0012, 1e-6);
  EXPECT_NEAR(take(50), 0.00144, 1e-6);
}

}  // namespace
}  // namespace solenoid
