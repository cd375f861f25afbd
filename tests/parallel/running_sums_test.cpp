/// Running sums of whole numbers, and the counts of copies.
#include "parallel/running_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "parallel/memory.hpp"

namespace solenoid {
namespace {

TEST(RunningSums, AreThoseOfALoop) {
  for (const int count : {1, 2, 31, 32, 33, 1000, 100'003}) {
    std::vector<std::uint64_t> values, expected;
    std::uint64_t sum = 0;
    for (int k = 0; k < count; ++k) {
      values.push_back(static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15u);  // wraps around
      expected.push_back(sum);
      sum += values.back();
    }
    DeviceArray<std::uint64_t> array(values);
    make_running_sums(array);
    EXPECT_EQ(array.to_host(), expected) << count;
  }
}

/// Of sums far beyond 63 bits.
TEST(RunningSums, DifferencesAreExact) {
  std::vector<std::uint64_t> values(1000, std::uint64_t{1} << 60);
  values[700] = static_cast<std::uint64_t>(-12345);
  DeviceArray<std::uint64_t> array(values);
  make_running_sums(array);
  const std::vector<std::uint64_t> sums = array.to_host();
  EXPECT_EQ(static_cast<std::int64_t>(sums[701] - sums[700]), -12345);
  EXPECT_EQ(static_cast<std::int64_t>(sums[703] - sums[698]), (std::int64_t{4} << 60) - 12345);
}

TEST(CopyCount, CountsBytesToTheHost) {
  const DeviceArray<int> array(std::vector<int>(10, 1));
  const std::int64_t before = bytes_copied_to_host();
  EXPECT_EQ(array.to_host().size(), 10);
  EXPECT_EQ(bytes_copied_to_host() - before, 40);
}

}  // namespace
}  // namespace solenoid
