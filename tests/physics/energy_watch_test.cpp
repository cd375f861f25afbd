/// When the energy of a flow is said to come from nowhere.
#include "physics/energy_watch.hpp"

#include <gtest/gtest.h>

namespace solenoid::test {
namespace {

EnergyWatch begun(real energy) {
  EnergyWatch watch;
  watch.begin(energy);
  return watch;
}

TEST(EnergyWatch, WhatNothingDrivesHasEverLess) {
  EnergyWatch watch = begun(1);
  EXPECT_FALSE(watch.fault(1.05, {}, 0.1));
  EXPECT_FALSE(watch.fault(0.02, {}, 0.1));
  EXPECT_FALSE(watch.fault(1e-4, {}, 0.1));  // a swing
  EXPECT_FALSE(watch.fault(0.02, {}, 0.1));
  EXPECT_FALSE(watch.fault(0.2, {}, 0.1));
  const auto fault = watch.fault(0.3, {}, 0.1);
  ASSERT_TRUE(fault);
  EXPECT_EQ(*fault, "the kinetic energy has grown from 0.02 to 0.3 though nothing drives the flow");
}

TEST(EnergyWatch, RoundOffMayGrow) {
  EnergyWatch watch = begun(1);
  EXPECT_FALSE(watch.fault(1e-30, {}, 0.1));
  EXPECT_FALSE(watch.fault(1e-32, {}, 0.1));
  EXPECT_FALSE(watch.fault(1e-11, {}, 0.1));
  EXPECT_TRUE(watch.fault(1e-9, {}, 0.1));
}

TEST(EnergyWatch, WhatIsDrivenHasNoMoreThanAMultipleOfWhatItIsGiven) {
  EnergyWatch watch = begun(0);
  const EnergySources wall{.at_once = 1};
  EXPECT_FALSE(watch.fault(1e5, wall, 0.1));
  EXPECT_TRUE(watch.fault(2e6, wall, 0.1));
  EXPECT_FALSE(watch.fault(2e6, {.at_once = 1, .in_time = 10}, 0.1));  // a second root from then on
  EXPECT_FALSE(watch.fault(3e6, {}, 0.1));                             // what was given stays, until
  EXPECT_TRUE(watch.fault(5e7, {}, 0.1));                              // it grows by itself
}

}  // namespace
}  // namespace solenoid::test
