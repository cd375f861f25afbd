/// Kernels that repeat, recorded as a graph where that is possible: always those that were asked for.
#include "parallel/replay.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "parallel/device_array.hpp"
#include "parallel/device_scalars.hpp"

namespace solenoid {

namespace {

constexpr int runs = 60;  // more than go by before a graph is made

}  // namespace

// Bodies with kernels are free functions: nvcc refuses device lambdas inside TEST.
static void add_often(Replay& replay, DeviceArray<real>& sums, real value) {
  real* const sum = sums.data();
  const int n = static_cast<int>(sums.size());
  for (int k = 0; k < runs; ++k) {
    replay.run([&] {
      forall(
          n, SOLENOID_KERNEL(int i) { sum[i] += value; });
    });
  }
}

static void add_scalars_often(Replay& replay, DeviceArray<real>& sums, DeviceScalars<2>& scalars) {
  real* const sum = sums.data();
  const int n = static_cast<int>(sums.size());
  for (int k = 0; k < runs; ++k) {
    scalars.set({real(k), real(-1)});
    const Scalar<> number = real(2) * scalars[0], one = scalars[1];
    replay.run([&] {
      forall(
          n, SOLENOID_KERNEL(int i) { sum[i] += number + one; });
    });
  }
}

TEST(Replay, RunsEachTime) {
  Replay replay;
  DeviceArray<real> sums(std::vector<real>(3, 0.5));
  add_often(replay, sums, 2);
  EXPECT_EQ(sums.to_host(), std::vector<real>(3, 0.5 + 2 * runs));
}

TEST(Replay, FollowsItsParameters) {
  Replay replay;
  DeviceArray<real> first(std::vector<real>(3, 0)), second(std::vector<real>(5, 1));
  add_often(replay, first, 2);
  add_often(replay, first, 7);   // another number
  add_often(replay, second, 7);  // another array
  add_often(replay, first, 2);   // as at first
  EXPECT_EQ(first.to_host(), std::vector<real>(3, 11 * runs));
  EXPECT_EQ(second.to_host(), std::vector<real>(5, 1 + 7 * runs));
}

TEST(Replay, ReadsScalarsAnew) {
  Replay replay;
  DeviceArray<real> sums(std::vector<real>(3, 0));
  DeviceScalars<2> scalars;
  add_scalars_often(replay, sums, scalars);
  EXPECT_EQ(sums.to_host(), std::vector<real>(3, runs * (runs - 1) - runs));
}

#ifdef SOLENOID_CUDA
TEST(Replay, RefusesCopies) {
  Replay replay;
  DeviceArray<real> values(std::vector<real>(3, 0));
  const auto copy = [&] { values.to_host(); };
  replay.run(copy);  // the first run is not listed
  EXPECT_THROW(replay.run(copy), Error);
  add_often(replay, values, 1);  // and the list has ended
  EXPECT_EQ(values.to_host(), std::vector<real>(3, runs));
}
#endif

}  // namespace solenoid
