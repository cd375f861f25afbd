/// SteadyForecast: when flows that come to rest in known ways are steady.
#include "run/loop/run_progress.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace solenoid {
namespace {

constexpr double steady_tolerance = 1e-5;

/// What is foretold at `time` of a change that was law(t), by steps of .01.
template <class Law>
std::optional<double> foretold(double time, Law law) {
  SteadyForecast forecast;
  for (double t = 0.01; t <= time; t += 0.01) forecast.note(t, law(t));
  return forecast.time_of(steady_tolerance);
}

TEST(SteadyForecast, IsExactWhereTheChangeFallsExponentially) {
  const auto law = [](double t) { return std::exp(-0.5 * t); };
  for (const double time : {1.0, 5.0, 15.0})
    EXPECT_NEAR(foretold(time, law).value(), -2 * std::log(steady_tolerance), 1e-9);
}

TEST(SteadyForecast, IsWithinAFactorOfTwoWhereItFallsFasterAtFirst) {  // a boundary layer, then the slowest vortex
  const auto law = [](double t) { return 10 * std::exp(-3 * t) + 0.1 * std::exp(-0.2 * t); };
  const double end = std::log(0.1 / steady_tolerance) / 0.2;
  for (double time = 5; time < end; time += 5) {
    EXPECT_GT(foretold(time, law).value(), end / 2) << time;
    EXPECT_LT(foretold(time, law).value(), end * 2) << time;
  }
}

TEST(SteadyForecast, SaysNothingOfAFlowThatDoesNotSettle) {
  EXPECT_FALSE(SteadyForecast().time_of(steady_tolerance));
  EXPECT_FALSE(foretold(0.01, [](double) { return 1.0; }));
  EXPECT_FALSE(foretold(7, [](double t) { return 1 + t; }));
}

}  // namespace
}  // namespace solenoid
