#include "model/time_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace solenoid {

namespace {

constexpr real longest_ratio = 2.4;  // BDF2 is zero-stable up to 1 + sqrt(2)

}  // namespace

TimeCoefficients time_coefficients(TimeScheme scheme, real dt, real dt_old) {
  if (scheme == TimeScheme::euler || dt_old <= 0 || grows_beyond_stability(dt, dt_old)) return {};
  const real r = dt / dt_old;
  return {(1 + 2 * r) / (1 + r), -(1 + r), r * r / (1 + r), 1 + r, -r};
}

Extrapolation damping_extrapolation(const TimeCoefficients& scheme, const LastSteps& steps, bool growing) {
  const auto [dt, last, before] = steps;
  if (scheme.older == 0 || before <= 0 || last > longest_ratio * before) return {1 - scheme.older, scheme.older, 0};
  constexpr real growth = 1.05;
  real line = dt / last, parabola = dt * (dt + last) / (last * (last + before));
  if (growing && line > growth) line = growth, parabola = std::min(parabola, growth * growth);
  const real ratio = last / before;
  return {1 + line + parabola / 2, -line - parabola / 2 * (1 + ratio), parabola / 2 * ratio};
}

namespace {

constexpr real growth = 1.2;  // of steps by cfl

/// Infinite by cfl without a flow.
real allowed_step(const StepControl& control, real rate, real dt_old) {
  if (control.step > 0) return control.step;
  real allowed = rate > 0 ? control.cfl / rate : std::numeric_limits<real>::infinity();
  if (control.step_max > 0) allowed = std::min(allowed, control.step_max);
  return dt_old > 0 ? std::min(allowed, growth * dt_old) : allowed;
}

}  // namespace

real next_step(const StepControl& control, real rate, real dt_old, real time, real target) {
  constexpr real round_off = 1e-9;
  const real allowed = allowed_step(control, rate, dt_old);
  if (std::isinf(target)) return allowed;
  const real left = target - time;
  return left / std::max(real{1}, std::ceil(left / allowed - round_off));
}

bool was_cut(real dt, real allowed) {
  constexpr real share = 0.5;  // the time to a target is divided into steps of more than this
  return dt < share * allowed && std::isfinite(allowed);
}

real uneven_place(int k) {
  const real golden = k * std::numbers::phi_v<real>;
  return 1 - (golden - std::floor(golden));
}

bool grows_beyond_stability(real dt, real dt_old) { return dt > longest_ratio * dt_old; }

bool StepHistory::leaves_out(real dt) const {
  constexpr int most = 3;  // more are the rule, not an exception
  return steps_left_out < most && longest_ratio * (left_out + dt) < span - left_out;
}

void StepHistory::add(real dt) {
  if (leaves_out(dt)) {
    span += dt;
    left_out += dt;
    ++steps_left_out;
  } else {
    before = span;
    span = dt;
    left_out = 0;
    steps_left_out = 0;
  }
}

void StepGrowth::add(const StepControl& control, real rate, real dt, real allowed) {
  if (rate > 0) longest = std::min(longest, control.cfl / rate);
  longest = std::max(longest, was_cut(dt, allowed) ? allowed : dt);
}

real StepGrowth::reference(real history_span) const {
  constexpr real at_most = 2, cut = 4;  // relative to the history, and from where on a step of Euler goes back at once
  return longest > cut * history_span ? longest : std::min(longest, at_most / growth * history_span);
}

}  // namespace solenoid
