/// Threads: every item is done once, by any number of threads, also where they come and go at once.
#include "parallel/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "parallel/host_threads.hpp"

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

TEST(HostThreads, DoEveryItemOnceInWholePieces) {
  for (const int threads : {1, 2, 3, 8}) {
    const OnThreads on(threads);
    for (const int n : {0, 1, 7, 64, 1000}) {
      for (const int piece : {1, 3, 64, 5000}) {
        std::vector<std::atomic<int>> count(static_cast<std::size_t>(n));
        over_host_threads(n, piece, [&](int begin, int end) {
          EXPECT_EQ(begin % piece, 0);
          EXPECT_EQ(end, std::min(n, begin + piece));
          for (int i = begin; i < end; ++i) ++count[static_cast<std::size_t>(i)];
        });
        EXPECT_EQ(std::vector<int>(count.begin(), count.end()), std::vector<int>(static_cast<std::size_t>(n), 1));
      }
    }
  }
}

TEST(HostThreads, PassAnErrorOnWhenAllHaveEnded) {
  for (const int threads : {1, 3}) {
    const OnThreads on(threads);
    std::atomic<int> inside = 0;
    const auto work = [&](int begin, int) {
      ++inside;
      const int number = begin;
      --inside;
      require(number != 40, [&] { return message("item {}", number); });
    };
    EXPECT_THROW(over_host_threads(100, 1, work), Error) << threads;
    EXPECT_EQ(inside, 0);
  }
}

TEST(HostThreads, ShareNoSpareObject) {
  const OnThreads on(4);
  struct InUse {
    std::atomic<bool> is{false};
  };
  std::atomic<int> made = 0;
  Spares<InUse> spares([&] {
    ++made;
    return std::make_unique<InUse>();
  });
  over_host_threads(1000, 1, [&](int, int) {
    spares.use([](InUse& in_use) {
      EXPECT_FALSE(in_use.is.exchange(true));
      in_use.is = false;
    });
  });
  EXPECT_LE(made, 4);
}

}  // namespace
}  // namespace solenoid
