/// When the energy of a flow is said to come from nowhere.
#include "physics/flow/balance/energy_watch.hpp"

#include <gtest/gtest.h>

namespace solenoid::test {
namespace {

EnergyWatch begun(real energy) {
  EnergyWatch watch;
  watch.begin(energy);
  return watch;
}

TEST(EnergyWatch, WhatNothingDrivesNeverHasMuchMore) {
  EnergyWatch watch = begun(1);
  EXPECT_FALSE(watch.fault(1.05, {}, 0.1));
  EXPECT_FALSE(watch.fault(1e-9, {}, 0.1));  // a swing
  EXPECT_FALSE(watch.fault(0.5, {}, 0.1));
  EXPECT_FALSE(watch.fault(10, {}, 0.1));
  const auto fault = watch.fault(13, {}, 0.1);
  ASSERT_TRUE(fault);
  EXPECT_EQ(*fault, "the kinetic energy has grown from 1 to 13 though nothing drives the flow");
}

TEST(EnergyWatch, WhatIsDrivenHasNoMoreThanAMultipleOfWhatItIsGiven) {
  EnergyWatch watch = begun(0);
  const EnergySources wall{.at_once = 1};
  EXPECT_FALSE(watch.fault(1e5, wall, 0.1));
  EXPECT_TRUE(watch.fault(2e6, wall, 0.1));
  EXPECT_FALSE(watch.fault(2e6, {.at_once = 1, .in_time = 10}, 0.1));  // a second root from then on
  EXPECT_FALSE(watch.fault(3e6, {}, 0.1));                             // what was given stays, until
  EXPECT_TRUE(watch.fault(3e7, {}, 0.1));                              // it grows by itself
}

}  // namespace
}  // namespace solenoid::test
