/// The threads of a rank, which share a kernel where it is long enough to pay.
#pragma once

#include <algorithm>
#include <chrono>

namespace solenoid {

/// Number of threads for the kernels of this rank: the first number of OMP_NUM_THREADS, or if that is unset one per
/// processor available to the rank. Throws Error (exit code 2) if the variable is not a number from 1 to 4096.
int thread_count();

/// Sets that number. For tests.
void set_thread_count(int count);

namespace cpu {

/// Calls part(body, begin, end) on pieces that make up [0, n), each of `piece` items except the last, and returns when
/// all are done. Each thread owns a contiguous share of the pieces and, when it is done, helps with the others': a
/// thread that sleeps, or whose core is busy elsewhere, delays the rest only if it has begun a piece. Not from two
/// threads at a time.
void share_out(int n, int piece, void (*part)(const void* body, int begin, int end), const void* body);

/// The cost per item of one kernel, measured at run time.
class KernelCost {
 public:
  /// Whether n items take long enough to wake other threads: more than 20 microseconds.
  bool is_long(int n) const { return trials_ >= enough && n * nanoseconds_ > long_kernel; }

  /// Runs all items on this thread and records the time.
  template <class Body>
  void run(int n, const Body& body) {
    const auto begin = std::chrono::steady_clock::now();
    body(0, n);
    const double taken = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    nanoseconds_ = trials_ == 0 ? taken / n : std::min(nanoseconds_, taken / n);
    trials_ = std::min(trials_ + 1, enough);
  }

 private:
  static constexpr int enough = 3;               // the first run may include waits for memory
  static constexpr double long_kernel = 20'000;  // [ns]
  double nanoseconds_ = 0;                       // per item, the least so far
  int trials_ = 0;
};

/// Calls body(begin, end) on ranges that make up [0, n), on one thread or on all; ranges begin at multiples of
/// `aligned`.
template <int aligned, class Body>
void over_ranges(int n, const Body& body) {
  constexpr int few = 8 * aligned;  // too few for timing to pay
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
