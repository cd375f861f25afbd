/// Arrays that are full of NaN where somebody wants them to be.
#include "parallel/memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

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

/// Of an owner: arrays and bytes.
std::pair<int, std::size_t> held_by(const std::string& owner) {
  for (const ArraysOf& of : device_arrays()) {
    if (of.owner == owner) return {of.arrays, of.bytes};
  }
  return {0, 0};
}

TEST(Memory, ArraysAreListedByTheirOwner) {
  struct Part {
    DeviceArray<real> values;
    explicit Part(std::size_t size, const MemoryOf& /*scope*/ = MemoryOf("part")) : values(size) {}
  };
  DeviceArray<real> kept;
  {
    const MemoryOf whole("whole");
    const DeviceArray<real> of_whole(30);
    const Part part(20);
    kept = DeviceArray<real>(10);
    EXPECT_EQ(held_by("whole"), std::pair(2, 40 * sizeof(real)));
    EXPECT_EQ(held_by("whole / part"), std::pair(1, 20 * sizeof(real)));
    try {
      const MemoryOf failing("failing");
      throw 1;
    } catch (int) {
    }
    const Part second(5);
    EXPECT_EQ(held_by("whole / part"), std::pair(2, 25 * sizeof(real)));
  }
  EXPECT_EQ(held_by("whole"), std::pair(1, 10 * sizeof(real))) << "an array that moved keeps its owner";
  EXPECT_EQ(held_by("whole / part"), std::pair(0, std::size_t{0}));
  const std::size_t other = held_by("other").second;
  const DeviceArray<real> of_none(7);
  EXPECT_EQ(held_by("other").second, other + 7 * sizeof(real));
  std::size_t last = device_arrays().front().bytes;
  for (const ArraysOf& of : device_arrays()) {
    EXPECT_LE(of.bytes, last) << of.owner;
    last = of.bytes;
  }
}

}  // namespace
}  // namespace solenoid::test
