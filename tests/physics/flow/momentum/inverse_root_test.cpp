/// The polynomial in the place of one over a square root.
#include "physics/flow/momentum/root_polynomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace solenoid::test {
namespace {

/// By the three-term recurrence.
real value(const std::vector<real>& coefficients, real x) {
  const real y = 2 * x - 1;
  real before = 1, now = y, sum = coefficients[0];
  for (std::size_t k = 1; k < coefficients.size(); ++k) {
    sum += coefficients[k] * now;
    const real next = 2 * y * now - before;
    before = now;
    now = next;
  }
  return sum;
}

TEST(InverseRoot, VariesByNoMoreThanAskedFor) {
  std::size_t last = 0;
  for (const real reach : {0.01, 0.5, 3.0, 10.0, 40.0}) {
    for (const real ratio : {1.05, 1.3}) {
      const std::vector<real> coefficients = inverse_root(reach, ratio);
      if (coefficients.size() == 13) continue;  // the highest degree there is
      real least = 1e30, most = 0;
      for (int k = 0; k <= 1000; ++k) {
        const real x = real(k) / 1000, p = value(coefficients, x);
        EXPECT_GT(p, 0);
        least = std::min(least, p * p * (1 + reach * x));
        most = std::max(most, p * p * (1 + reach * x));
      }
      EXPECT_LE(most / least, ratio * real{1.001}) << reach;
      EXPECT_LE(std::abs(std::log(most * least)), std::log(ratio)) << "around 1, " << reach;
    }
    EXPECT_GE(inverse_root(reach, 1.3).size(), last) << "never less for more";
    last = inverse_root(reach, 1.3).size();
  }
  EXPECT_EQ(inverse_root(0, 1.3), std::vector<real>{1});
  EXPECT_LE(inverse_root(40, 1.3).size(), 9u);
  EXPECT_EQ(inverse_root(1e6, 1.3).size(), 13u);
}

}  // namespace
}  // namespace solenoid::test
