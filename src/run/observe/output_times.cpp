#include "run/observe/output_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace solenoid {

OutputTimes::OutputTimes(OutputSettings output, double end)
    : output_(std::move(output)), end_(static_cast<real>(end)), slack_(1e-9 * end_) {}

real OutputTimes::next(real time) const {
  real target = end_;
  if (output_.every) {
    const real every = static_cast<real>(*output_.every);
    target = std::min(target, every * (std::floor((time + slack_) / every) + 1));
  }
  for (double chosen : output_.times) {
    if (chosen > time + slack_) return std::min(target, static_cast<real>(chosen));
  }
  return target;
}

bool OutputTimes::is_due(int step, real time) const {
  if (output_.every_steps && step % *output_.every_steps == 0) return true;
  if (output_.every) {
    const real every = static_cast<real>(*output_.every);
    if (std::abs(time - every * std::round(time / every)) <= slack_) return true;
  }
  return std::any_of(output_.times.begin(), output_.times.end(),
                     [&](double chosen) { return std::abs(time - chosen) <= slack_; });
}

}  // namespace solenoid
