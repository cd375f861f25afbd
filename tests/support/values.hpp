/// Lists of numbers for the tests: made up, and compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/meshes.hpp"

namespace solenoid::test {

inline constexpr real round_off = 1e-13;  ///< of sums over a few neighbours, relative
inline constexpr real pi = std::numbers::pi_v<real>;

/// value_of() each of the ids from 0 on.
inline std::vector<real> scattered_values(int count, int salt = 0) {
  std::vector<real> values;
  for (int id = 0; id < count; ++id) values.push_back(value_of(id, salt));
  return values;
}

/// Expects numbers that are equal but for this share of the largest. Where they are the same on all ranks, so is the
/// outcome, and none leaves a test early.
inline void expect_equal(const std::vector<real>& found, const std::vector<real>& expected, const std::string& what,
                         real tolerance = round_off) {
  ASSERT_EQ(found.size(), expected.size());
  real scale = 0, worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    scale = std::max(scale, std::abs(expected[i]));
    const real miss = std::abs(found[i] - expected[i]);
    if (std::isnan(miss) || miss > worst) worst = miss;  // NaN is the worst, and stays
  }
  EXPECT_LE(worst, tolerance * scale) << what;
}

/// In L2, relative to the second.
inline real distance(const std::vector<real>& a, const std::vector<real>& b) {
  real sum = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
  return std::sqrt(sum / size);
}

}  // namespace solenoid::test
