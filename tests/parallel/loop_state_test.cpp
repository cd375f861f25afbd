/// The state of a loop of kernels: sums over items and ranks, what start() and set() do to them, the same bits again.
#include "parallel/loop_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/exact_sums.hpp"

namespace solenoid {

namespace {

/// Counts its turns and keeps the sums of the last one.
struct Counted {
  int turns = 0;
  real first = -1, second = -1;
};

struct CountTurn {
  SOLENOID_HD void operator()(Counted& state, const Sums<2>& sums) const {
    ++state.turns;
    state.first = sums[0];
    state.second = sums[1];
  }
};

using Loop = LoopState<Counted, 2>;

}  // namespace

// Bodies with kernels are free functions: nvcc refuses device lambdas inside TEST.
static void add_items(Loop& loop, int first, int n, real value) {
  loop.add<1>(
      first, n, SOLENOID_KERNEL(int) { return Sums<1>{{value}}; });
}
static void add_both(Loop& loop, int n) {
  loop.add<2>(
      0, n, SOLENOID_KERNEL(int i) {
        return Sums<2>{{real(i), 1}};
      });
}
static void turn_with_items(Loop& loop, int first, int n, real value) {
  loop.turn<1>(
      first, n, SOLENOID_KERNEL(int) { return Sums<1>{{value}}; }, CountTurn{});
}
static void turn_with_values(Loop& loop, const DeviceArray<real>& values) {
  const real* const v = values.data();
  loop.turn<2>(
      0, static_cast<int>(values.size()),
      SOLENOID_KERNEL(int i) {
        return Sums<2>{{v[i], v[i] * v[i]}};
      },
      CountTurn{});
}
/// How many turns a kernel sees in its view of the state.
static real turns_seen_by_a_kernel(Loop& loop) {
  const auto state = loop.view();
  return reduce_max(
      1, 0, SOLENOID_KERNEL(int) { return real(state->turns); });
}

namespace {

TEST(LoopState, SumsOverItemsAndRanks) {
  const Comm comm;
  Loop loop(comm);
  turn_with_items(loop, 0, 10 + comm.rank(), 1);
  const real ranks = comm.size();
  EXPECT_EQ(loop.get().turns, 1);
  EXPECT_EQ(loop.get().first, 10 * ranks + ranks * (ranks - 1) / 2);
  EXPECT_EQ(loop.get().second, 0);
}

/// Terms whose rounded sum depends on which rank has which.
TEST(LoopState, ExactSumsDoNotDependOnTheRanks) {
  const ExactSums exact;
  const Comm comm;
  ExactSum sum{}, squares{};
  std::vector<real> own;
  for (int i = 0; i < 5000; ++i) {
    const real value = std::ldexp(std::sin(real(i) * i), i % 90);
    sum.add(value), squares.add(value * value);
    if (i % comm.size() == comm.rank()) own.push_back(value);
  }
  const DeviceArray<real> values(own);
  Loop loop(comm);
  for (int turn = 1; turn <= 3; ++turn) {
    turn_with_values(loop, values);
    EXPECT_EQ(loop.get().turns, turn);
    EXPECT_EQ(loop.get().first, sum.rounded());
    EXPECT_EQ(loop.get().second, squares.rounded());
  }
  add_items(loop, 1, comm.rank() == 0 ? 3 : 0, 0.125);
  turn_with_items(loop, 1, 2, 1);
  EXPECT_EQ(loop.get().first, 0);
  EXPECT_EQ(loop.get().second, 0.375 + 2 * comm.size());
}

TEST(LoopState, TakesSeveralAddsIntoATurnAndStartsAgainFromZero) {
  const Comm comm;
  const real ranks = comm.size();
  Loop loop(comm);
  add_items(loop, 0, 100, 2);
  add_items(loop, 1, 3, 5);
  add_both(loop, 4);
  turn_with_items(loop, 1, 1000, 1);
  EXPECT_EQ(loop.get().first, ranks * (200 + 6));
  EXPECT_EQ(loop.get().second, ranks * (15 + 4 + 1000));
  turn_with_items(loop, 0, 1, 1);
  EXPECT_EQ(loop.get().turns, 2);
  EXPECT_EQ(loop.get().first, ranks);
  EXPECT_EQ(loop.get().second, 0);
}

TEST(LoopState, StartForgetsSums) {
  const Comm comm;
  Loop loop(comm);
  add_both(loop, 7);
  loop.start({41, 0, 0});
  turn_with_items(loop, 1, 2, 3);
  EXPECT_EQ(loop.get().turns, 42);
  EXPECT_EQ(loop.get().first, 0);
  EXPECT_EQ(loop.get().second, real(6 * comm.size()));
}

TEST(LoopState, TurnsWhereRanksHaveNoItems) {
  const Comm comm;
  Loop loop(comm);
  const bool last = comm.rank() == comm.size() - 1;
  add_items(loop, 1, last ? 5 : 0, 1);
  turn_with_items(loop, 0, last ? 3 : 0, 1);
  EXPECT_EQ(loop.get().first, 3);
  EXPECT_EQ(loop.get().second, 5);
  turn_with_items(loop, 0, 0, 1);  // nobody has any
  EXPECT_EQ(loop.get().turns, 2);
  EXPECT_EQ(loop.get().first, 0);
}

TEST(LoopState, KernelsSeeTheLastTurn) {
  Loop loop{Comm()};
  for (int turn = 1; turn <= 19; ++turn) {
    turn_with_items(loop, 0, 1, 1);
    EXPECT_EQ(turns_seen_by_a_kernel(loop), turn);
  }
}

TEST(LoopState, GivesTheSameBitsAgain) {
  const Comm comm;
  std::vector<real> values;
  for (int i = 0; i < 54321; ++i) values.push_back(std::sin(real(i + comm.rank())) * 1e3);
  const DeviceArray<real> on_device(values);
  Loop loop(comm);
  turn_with_values(loop, on_device);
  const Counted first = loop.get();
  for (int k = 0; k < 5; ++k) {
    turn_with_values(loop, on_device);
    EXPECT_EQ(loop.get().first, first.first);
    EXPECT_EQ(loop.get().second, first.second);
  }
}

}  // namespace
}  // namespace solenoid
