#include "model/time_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/step_history.hpp"

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

}  // namespace solenoid
