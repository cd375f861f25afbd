/// Reductions: exact counts, accuracy, NaN, and the same bits every time.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "parallel/backend.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

// Bodies with kernels are free functions: nvcc refuses device lambdas inside TEST.
static real count(int n) {
  return reduce_sum(
      n, SOLENOID_KERNEL(int) { return real{1}; });
}
static real sum_of(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return reduce_sum(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) { return v[i]; });
}
static real max_of(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return reduce_max(
      static_cast<int>(values.size()), 0, SOLENOID_KERNEL(int i) { return v[i]; });
}
static Sums<2> two_sums(int n) {
  return reduce_sums<2>(
      n, SOLENOID_KERNEL(int i) {
        return Sums<2>{{real(i), real(1)}};
      });
}
struct PlusFloat {
  SOLENOID_HD float operator()(float a, float b) const { return a + b; }
};
static float single_precision_sum(int n, float item) {
  return reduce(
      n, 0.0f, SOLENOID_KERNEL(int) { return item; }, PlusFloat{});
}

namespace {

TEST(Reduce, CountsEveryItemOnce) {
  for (int n : {0, 1, 3, 511, 512, 513, 2047, 2048, 2049, 100000}) EXPECT_EQ(count(n), n);
}

TEST(Reduce, SumsSeveralValuesInOnePass) {
  const Sums<2> sums = two_sums(1001);
  EXPECT_EQ(sums[0], 1001 * 1000 / 2);
  EXPECT_EQ(sums[1], 1001);
}

TEST(Reduce, GivesTheSameBitsAgain) {
  std::vector<real> values;
  for (int i = 0; i < 123457; ++i) values.push_back(std::sin(real(i)) * 1e3);
  const DeviceArray<real> on_device(values);
  const real first = sum_of(on_device);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(sum_of(on_device), first);
}

TEST(Reduce, StaysAccurateWhereANaiveSumDrifts) {
  // The thesis (section 4.3) finds 1 % error in a naive single-precision sum of a million items.
  constexpr int n = 1 << 24;
  const float exact = static_cast<float>(0.1 * n);
  EXPECT_NEAR(single_precision_sum(n, 0.1f) / exact, 1, 1e-6);
  float naive = 0;
  for (int i = 0; i < n; ++i) naive += 0.1f;
  EXPECT_GT(std::abs(naive / exact - 1), 1e-2);
}

TEST(Reduce, MaximumKeepsANaN) {
  std::vector<real> values(1000, 1);
  EXPECT_EQ(max_of(DeviceArray<real>(values)), 1);
  values[700] = std::numeric_limits<real>::quiet_NaN();
  EXPECT_TRUE(std::isnan(max_of(DeviceArray<real>(values))));
}

}  // namespace
}  // namespace solenoid
