/// Periods of numbers over time.
#include "run/observe/periods.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace solenoid {
namespace {

constexpr double pi = 3.14159265358979324;

/// 3 + growth^t sin(2 pi t / 0.7) at uneven times up to 7.
TimeSeries oscillation(double growth) {
  TimeSeries series;
  double time = 0;
  for (int k = 0; time < 7; ++k) {
    series.add(time, 3 + std::pow(growth, time) * std::sin(2 * pi * time / 0.7));
    time += 0.02 + 0.01 * std::sin(k);
  }
  return series;
}

TEST(Periods, AreFoundInTheLastHalf) {
  const TimeSeries series = oscillation(1);
  const auto periods = last_periods(series);
  ASSERT_TRUE(periods);
  EXPECT_GE(periods->begin, 3.5);
  EXPECT_EQ(periods->count, 3);
  EXPECT_NEAR(periods->frequency(), 1 / 0.7, 1e-3);
  const Range range = series.range(periods->begin, periods->end);
  EXPECT_NEAR(range.low, 2, 1e-3);
  EXPECT_NEAR(range.high, 4, 1e-3);
  EXPECT_NEAR(series.mean(periods->begin, periods->end), 3, 1e-3);
}

/// Samples a millionth of a step apart that differ by what solvers leave.
TEST(Periods, ExtremesAreNotThoseOfNoiseBetweenNearSamples) {
  const TimeSeries even = oscillation(1);
  TimeSeries series;
  for (std::size_t k = 0; k < even.times().size(); ++k) {
    series.add(even.times()[k], even.values()[k]);
    if (k % 5 == 0) series.add(even.times()[k] + 2e-8, even.values()[k] + (k % 2 == 0 ? 1e-5 : -1e-5));
  }
  const Range range = series.range(3.5, 7), expected = even.range(3.5, 7);
  EXPECT_NEAR(range.low, expected.low, 1e-3);
  EXPECT_NEAR(range.high, expected.high, 1e-3);
}

TEST(Periods, AreNotOfWhatStillGrowsOrStands) {
  EXPECT_FALSE(last_periods(oscillation(1.1)));
  EXPECT_FALSE(last_periods(TimeSeries{}));
  TimeSeries steady;
  for (int k = 0; k < 100; ++k) steady.add(k, 2);
  EXPECT_FALSE(last_periods(steady));
}

}  // namespace
}  // namespace solenoid
