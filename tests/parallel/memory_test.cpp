/// Arrays that are full of NaN where somebody wants them to be.
#include "parallel/memory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/real.hpp"
#include "parallel/device_array.hpp"

namespace solenoid::test {
namespace {

TEST(Memory, ArraysArePoisonedAsLongAsThatIsAskedFor) {
  const bool before = arrays_are_poisoned();
  {
    const PoisonedArrays poison;
    for (const real value : DeviceArray<real>(100).to_host()) {
      EXPECT_TRUE(std::isnan(value));
    }
    for (const int value : DeviceArray<int>(100).to_host()) {
      EXPECT_EQ(value, -1);
    }
    const PoisonedArrays inner;
    EXPECT_TRUE(arrays_are_poisoned());
  }
  EXPECT_EQ(arrays_are_poisoned(), before);
}

}  // namespace
}  // namespace solenoid::test
