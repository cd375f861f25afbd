/// Reductions: exact counts, accuracy, NaN, and the same bits every time.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "parallel/device_array.hpp"
#include "parallel/reduce_later.hpp"
#include "support/exact_sums.hpp"

namespace solenoid {

// Bodies with kernels are free functions: nvcc refuses device lambdas inside TEST.
static real count(int n) {
  const PartialSum sum = reduce_sum(
      n, SOLENOID_KERNEL(int) { return real{1}; });
  return sum.of_this_rank();
}
static real sum_of(const DeviceArray<real>& values) {
  const real* const v = values.data();
  const PartialSum sum = reduce_sum(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) { return v[i]; });
  return sum.of_this_rank();
}
static real max_of(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return reduce_max(
      static_cast<int>(values.size()), 0, SOLENOID_KERNEL(int i) { return v[i]; });
}
static real min_of(const DeviceArray<real>& values, real ceiling) {
  const real* const v = values.data();
  return reduce_min(
      static_cast<int>(values.size()), ceiling, SOLENOID_KERNEL(int i) { return v[i]; });
}
template <std::size_t N>
static Sums<static_cast<int>(N)> of_this_rank(const std::array<PartialSum, N>& parts) {
  Sums<static_cast<int>(N)> sums;
  for (int k = 0; k < static_cast<int>(N); ++k) sums[k] = parts[k].of_this_rank();
  return sums;
}
static Sums<3> three_sums(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return of_this_rank(reduce_sums<3>(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) {
        return Sums<3>{{v[i], v[i] * v[i], 1}};
      }));
}
static Sums<2> two_sums(int n) {
  return of_this_rank(reduce_sums<2>(
      n, SOLENOID_KERNEL(int i) {
        return Sums<2>{{real(i), real(1)}};
      }));
}
/// The first items of `values` and the rest, whose sums are added.
static Sums<2> sums_of_halves(const DeviceArray<real>& values, int first) {
  const real* const v = values.data();
  const auto sums_from = [v](int begin, int end) {
    return reduce_sums<2>(
        end - begin, SOLENOID_KERNEL(int i) {
          return Sums<2>{{v[begin + i], v[begin + i] * v[begin + i]}};
        });
  };
  PartialSums<2> sums = sums_from(0, first);
  const PartialSums<2> rest = sums_from(first, static_cast<int>(values.size()));
  for (std::size_t k = 0; k < 2; ++k) sums[k] += rest[k];
  return of_this_rank(sums);
}
static PendingSums<3> begin_three_sums(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return begin_sums<3>(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) {
        return Sums<3>{{v[i], v[i] * v[i], 1}};
      });
}
static PendingSums<1> begin_sum_of(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return begin_sum(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) { return v[i]; });
}
static Pending<Sums<1>> begin_max_of(const DeviceArray<real>& values) {
  const real* const v = values.data();
  return begin_max(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) { return v[i]; });
}
static void set_to_zero(DeviceArray<real>& values) {
  real* const v = values.data();
  forall(
      static_cast<int>(values.size()), SOLENOID_KERNEL(int i) { v[i] = 0; });
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

TEST(Reduce, StaysAccurateWhereANaiveSumDrifts_Long) {
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

TEST(Reduce, MinimumIsFoundWhereverItIs) {
  const real infinity = std::numeric_limits<real>::infinity();
  for (int n : {1, 7, 8, 9, 511, 512, 513, 4099}) {
    for (int place : {0, n / 2, n - 1}) {
      std::vector<real> values(n, 1);
      values[place] = -3;
      EXPECT_EQ(min_of(DeviceArray<real>(values), infinity), -3) << n << " " << place;
    }
  }
  EXPECT_EQ(min_of(DeviceArray<real>(std::vector<real>(100, 5)), 2), 2);
  EXPECT_EQ(min_of(DeviceArray<real>(std::vector<real>()), 2), 2);
}

TEST(Reduce, MinimumKeepsANaN) {
  for (int place : {0, 5, 700, 999}) {
    std::vector<real> values(1000, 1);
    values[place] = std::numeric_limits<real>::quiet_NaN();
    EXPECT_TRUE(std::isnan(min_of(DeviceArray<real>(values), 2))) << place;
  }
}

TEST(Reduce, SumsAMillionDoublesToTheLastDigits) {
  std::vector<real> values;
  for (int i = 0; i < 1000000; ++i) values.push_back(1 + std::sin(real(i)));
  long double exact = 0, squares = 0;
  for (real value : values) exact += value, squares += static_cast<long double>(value) * value;
  const Sums<3> sums = three_sums(DeviceArray<real>(values));
  const real eps = std::numeric_limits<real>::epsilon();
  // log2 of the million, and a little: the error of a tree; a sum in a row of as many items errs by hundreds of eps
  EXPECT_NEAR(static_cast<real>(sums[0] / exact), 1, 20 * eps);
  EXPECT_NEAR(static_cast<real>(sums[1] / squares), 1, 20 * eps);
  EXPECT_EQ(sums[2], 1000000);
}

/// Of numbers of one size, of many sizes in each block, and with blocks of zeros.
std::vector<std::vector<real>> terms_to_sum() {
  std::vector<std::vector<real>> all(3);
  for (int i = 0; i < 20011; ++i) {
    const real value = std::sin(real(i) * i);
    all[0].push_back(value);
    all[1].push_back(std::ldexp(value, (i * 7919) % 480 - 240));
    all[2].push_back(i / 1500 % 2 == 0 ? 0 : std::ldexp(value, i / 100 - 150));
  }
  return all;
}

TEST(Reduce, ExactSumsHaveEveryBitWhereverTheyAreCut) {
  const ExactSums exact;
  for (const std::vector<real>& values : terms_to_sum()) {
    ExactSum sum{}, squares{};
    for (const real value : values) sum.add(value), squares.add(value * value);
    const DeviceArray<real> on_device(values);
    for (const int first : {0, 1, 511, 512, 513, 7000, 20011}) {
      const Sums<2> found = sums_of_halves(on_device, first);
      EXPECT_EQ(found[0], sum.rounded());
      EXPECT_EQ(found[1], squares.rounded());
    }
  }
}

TEST(Reduce, ExactSumsOfWhatIsNoNumberAreNone) {
  const ExactSums exact;
  for (const real wrong : {std::numeric_limits<real>::infinity(), std::numeric_limits<real>::quiet_NaN()}) {
    for (const int place : {0, 700, 999}) {
      std::vector<real> values(1000, 1);
      values[place] = wrong;
      EXPECT_TRUE(std::isnan(sum_of(DeviceArray<real>(values))));
    }
  }
}

#ifndef SOLENOID_CUDA
TEST(Reduce, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::vector<real> values;
  for (int i = 0; i < 100003; ++i) values.push_back(std::sin(real(i)) * 1e3);
  const DeviceArray<real> on_device(values);
  const int threads = thread_count();
  set_thread_count(1);
  const real sum = sum_of(on_device), least = min_of(on_device, 0);
  const Sums<3> several = three_sums(on_device);
  for (int count : {2, 3}) {
    set_thread_count(count);
    EXPECT_EQ(sum_of(on_device), sum);
    EXPECT_EQ(min_of(on_device, 0), least);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(three_sums(on_device)[k], several[k]);
  }
  set_thread_count(threads);
}
#endif

/// Several at a time, read in any order after their values are gone; results that nobody reads leave no trace.
TEST(Reduce, ResultsThatAreReadLaterAreTheSame) {
  std::vector<real> host;
  for (int i = 0; i < 5000; ++i) host.push_back(std::sin(real(i)) * std::pow(real{10}, i % 9));
  const DeviceArray<real> values(host), none;
  const auto compare = [&] {
    DeviceArray<real> given(host);
    begin_sum_of(given);
    PendingSums<3> three = begin_three_sums(given);
    PendingSums<1> one = begin_sum_of(given), of_none = begin_sum_of(none);
    Pending<Sums<1>> largest = begin_max_of(given);
    set_to_zero(given);
    Pending<Sums<1>> of_zeros = begin_max_of(given);
    EXPECT_EQ(largest.get()[0], max_of(values));
    EXPECT_EQ(of_this_rank(one.parts())[0], sum_of(values));
    const Sums<3> found = of_this_rank(three.parts()), expected = three_sums(values);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(found[k], expected[k]) << k;
    EXPECT_EQ(of_this_rank(three.parts())[1], expected[1]);  // again
    EXPECT_EQ(of_zeros.get()[0], 0);
    EXPECT_EQ(of_this_rank(of_none.parts())[0], 0);
    PendingSums<1> moved = std::move(one);
    EXPECT_EQ(of_this_rank(moved.parts())[0], sum_of(values));
  };
  compare();
  const ExactSums exact;
  compare();
}

}  // namespace
}  // namespace solenoid
