/// Threads: every item is done once, by any number of threads, also where they come and go at once.
#include "parallel/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "base/error.hpp"

namespace solenoid {
namespace {

/// While it lives, kernels run on so many threads.
class OnThreads {
 public:
  explicit OnThreads(int count) { set_thread_count(count); }
  ~OnThreads() { set_thread_count(before_); }

 private:
  int before_ = thread_count();
};

/// How often each of n items is done.
std::vector<int> visits(int n, int piece) {
  std::vector<std::atomic<int>> count(static_cast<std::size_t>(n));
  const auto visit = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) ++count[static_cast<std::size_t>(i)];
  };
  cpu::share_out(
      n, piece, [](const void* body, int begin, int end) { (*static_cast<const decltype(visit)*>(body))(begin, end); },
      &visit);
  return {count.begin(), count.end()};
}

TEST(Threads, DoEveryItemOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    const OnThreads on(threads);
    for (const int n : {1, 2, 7, 64, 1000, 4099}) {
      for (const int piece : {1, 3, 64, 5000}) EXPECT_EQ(visits(n, piece), std::vector<int>(n, 1)) << threads;
    }
  }
}

TEST(Threads, ComeInLateWithoutHarm) {  // to a call that is over, or to the next one
  const OnThreads on(4);
  long found = 0;
  for (int call = 0; call < 20000; ++call) {
    const int n = 1 + call % 13;
    for (const int count : visits(n, 1)) found += count;
    found -= n;
  }
  EXPECT_EQ(found, 0);
}

TEST(Threads, AreWokenForLongKernelsOnly) {
  cpu::KernelCost brief, lengthy;
  EXPECT_FALSE(brief.is_long(1 << 20));  // nothing is known of it
  std::atomic<int> work = 0;
  for (int trial = 0; trial < 3; ++trial) {
    brief.run(1 << 20, [&](int, int) { ++work; });
    lengthy.run(1, [&](int, int) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
      while (std::chrono::steady_clock::now() < until) ++work;
    });
  }
  EXPECT_FALSE(brief.is_long(1000));
  EXPECT_TRUE(lengthy.is_long(1));
}

}  // namespace
}  // namespace solenoid
