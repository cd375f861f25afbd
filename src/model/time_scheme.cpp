#include "model/time_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace solenoid {

TimeCoefficients time_coefficients(TimeScheme scheme, real dt, real dt_old) {
  if (scheme == TimeScheme::euler || dt_old <= 0 || grows_beyond_stability(dt, dt_old)) return {};
  const real r = dt / dt_old;
  return {(1 + 2 * r) / (1 + r), -(1 + r), r * r / (1 + r), 1 + r, -r};
}

real next_step(const StepControl& control, real rate, real dt_old, real time, real target) {
  constexpr real growth = 1.2, round_off = 1e-9;
  real wanted = control.step;
  if (control.step <= 0) {
    wanted = rate > 0 ? control.cfl / rate : std::numeric_limits<real>::infinity();
    if (control.step_max > 0) wanted = std::min(wanted, control.step_max);
    if (dt_old > 0) wanted = std::min(wanted, growth * dt_old);
  }
  const real left = target - time;
  return left / std::max(real{1}, std::ceil(left / wanted - round_off));
}

real uneven_place(int k) {
  const real golden = k * std::numbers::phi_v<real>;
  return 1 - (golden - std::floor(golden));
}

namespace {

constexpr real longest_ratio = 2.4;  // BDF2 is zero-stable up to 1 + sqrt(2)

}  // namespace

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
    span = dt;
    left_out = 0;
    steps_left_out = 0;
  }
}

void StepGrowth::add(const StepControl& control, real rate, real dt) {
  if (rate > 0) longest = std::min(longest, control.cfl / rate);
  longest = std::max(longest, dt);
}

real StepGrowth::reference(real history_span) const {
  constexpr real growth = 1.2, at_most = 2;  // that of next_step(); the limit relative to the history
  return std::min(longest, at_most / growth * history_span);
}

}  // namespace solenoid
