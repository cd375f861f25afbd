/// The mean velocity near a wall that the mesh does not resolve, by Reichardt's law.
#pragma once

#include <cmath>
#include <limits>

#include "base/real.hpp"

namespace solenoid {

/// u+ = ln(1 + kappa y+ / (1 + k+ / 3.25)) / kappa + 7.8 (1 - exp(-y+ / 11) - y+ / 11 exp(-.33 y+)), kappa = .41
/// (Reichardt 1951, ZAMM 31, 208), from the sublayer to the log law. k+ is the equivalent sand grain in units of the
/// wall; 3.25 takes the log law of a smooth wall to that of a rough one, ln(y / k) / kappa + 8.5 (Grigson 1992, J. Ship
/// Res. 36, 182). Far out it is Colebrook's shift, ln(1 + k+ / 3.25) / kappa; the term of the buffer layer stays.
struct ReichardtLaw {
  real roughness = 0;  ///< grain over the distance from the wall

  static constexpr real kappa = 0.41, buffer = 7.8, smooth_grain = 3.2498151548187217;

  struct Value {
    real velocity, slope;  ///< u+, d u+ / d y+ of grains of a fixed size over the distance
  };
  SOLENOID_HD Value at(real y_plus) const {
    constexpr real layer = 11, rate = 0.33;
    const real below = 1 + y_plus * (roughness / smooth_grain), inner = y_plus / layer;
    const real slow = exp(-inner), fast = exp(-rate * y_plus);
    const real velocity = log1p(kappa * y_plus / below) / kappa + buffer * (-expm1(-inner) - inner * fast);
    const real slope = 1 / (below * (below + kappa * y_plus)) + buffer / layer * (slow - fast * (1 - rate * y_plus));
    return {velocity, slope};
  }

  /// y+ where the velocity over the distance has this Reynolds number, u y / nu = u+ y+: by Newton's method from the
  /// sublayer, and bisection where that leaves what is known.
  SOLENOID_HD real y_plus(real reynolds) const {
    if (!(reynolds > 0)) return reynolds;  // 0, or not a number
    constexpr int most = 200;
    constexpr real round_off = 2 * std::numeric_limits<real>::epsilon();
    real least = 0, largest = 0, y = sqrt(reynolds);
    for (int k = 0; k < most; ++k) {
      const Value here = at(y);
      const real excess = y * here.velocity - reynolds;
      if (excess > 0) {
        largest = y;
      } else {
        least = y;
      }
      real next = y - excess / (here.velocity + y * here.slope);
      const bool is_beyond = largest > 0 && next > largest;
      if (next < least || is_beyond) next = largest > 0 ? (least + largest) / 2 : 2 * least;
      const real change = fabs(next - y);
      y = next;
      if (change <= round_off * y) break;
    }
    return y;
  }
};

}  // namespace solenoid
