/// The threads of a rank, which share a kernel where it is long enough to pay.
#pragma once

#include <algorithm>
#include <chrono>

namespace solenoid {

/// Threads that kernels of this rank may take: OMP_NUM_THREADS (the first number of it), or where that is not set one
/// for each processor that the rank may use. Throws an Error (exit code 2) where the variable is no number from 1 on.
int thread_count();

/// So many from here on. For tests.
void set_thread_count(int count);

namespace cpu {

/// Calls part(body, begin, end) for pieces that make up [0, n), each of `piece` items but the last one, and returns
/// when all are done. Each thread has a share of the pieces side by side, and when it is through takes some of others:
/// nobody waits for a thread that sleeps or whose core is busy elsewhere before it began. Not from two threads at a
/// time.
void share_out(int n, int piece, void (*part)(const void* body, int begin, int end), const void* body);

/// What an item of one kernel takes, found out as it runs.
class KernelCost {
 public:
  /// Whether n items take so long that waking threads pays: from some ten microseconds on.
  bool is_long(int n) const { return trials_ >= enough && n * nanoseconds_ > long_kernel; }

  /// Runs all of them here, and remembers how long that took.
  template <class Body>
  void run(int n, const Body& body) {
    const auto begin = std::chrono::steady_clock::now();
    body(0, n);
    const double taken = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    nanoseconds_ = trials_ == 0 ? taken / n : std::min(nanoseconds_, taken / n);
    trials_ = std::min(trials_ + 1, enough);
  }

 private:
  static constexpr int enough = 3;               // the first one may have waited for memory
  static constexpr double long_kernel = 20'000;  // [ns]
  double nanoseconds_ = 0;                       // an item, the least so far
  int trials_ = 0;
};

/// body(begin, end) for ranges that make up [0, n), on one thread or on all; they begin at multiples of `aligned`.
template <int aligned, class Body>
void over_ranges(int n, const Body& body) {
  constexpr int few = 8 * aligned;  // not worth a look at the clock
  static KernelCost cost;           // of this kernel
  if (n < few || thread_count() == 1) {
    body(0, n);
  } else if (!cost.is_long(n)) {
    cost.run(n, body);
  } else {
    constexpr int pieces_a_thread = 8;
    const int piece = n / (pieces_a_thread * thread_count()) / aligned * aligned + aligned;
    share_out(
        n, piece, [](const void* of, int begin, int end) { (*static_cast<const Body*>(of))(begin, end); }, &body);
  }
}

}  // namespace cpu

}  // namespace solenoid
