#include "physics/flow/momentum/root_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace solenoid {

namespace {

real function(real reach, real y) { return 1 / std::sqrt(1 + reach * (y + 1) / 2); }

/// Interpolates at `count` Chebyshev points.
std::vector<real> interpolated(real reach, int count) {
  std::vector<real> coefficients(count, 0);
  for (int j = 0; j < count; ++j) {
    const real angle = std::numbers::pi_v<real> * (static_cast<real>(j) + real{0.5}) / static_cast<real>(count);
    const real value = function(reach, std::cos(angle));
    for (int k = 0; k < count; ++k) {
      coefficients[k] += (k == 0 ? 1 : 2) * value * std::cos(static_cast<real>(k) * angle) / static_cast<real>(count);
    }
  }
  return coefficients;
}

/// The largest of p^2 (1 + reach x) over the smallest.
real variation(const std::vector<real>& coefficients, real reach) {
  constexpr int samples = 200;
  real least = 1, most = 1;
  for (int s = 0; s <= samples; ++s) {
    const real angle = std::numbers::pi_v<real> * static_cast<real>(s) / samples;
    real p = 0;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      p += coefficients[k] * std::cos(static_cast<real>(k) * angle);
    }
    const real root = p / function(reach, std::cos(angle));
    least = std::min(least, root * std::abs(root));  // negative where p is
    most = std::max(most, root * root);
  }
  return least > 0 ? most / least : std::numeric_limits<real>::infinity();
}

}  // namespace

std::vector<real> inverse_root(real reach, real ratio) {
  for (int count = 1; count < most_coefficients; ++count) {
    const std::vector<real> coefficients = interpolated(reach, count);
    if (variation(coefficients, reach) <= ratio) return coefficients;
  }
  return interpolated(reach, most_coefficients);
}

}  // namespace solenoid
