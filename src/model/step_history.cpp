#include "model/step_history.hpp"

#include <algorithm>

namespace solenoid {

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
