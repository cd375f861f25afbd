/// forall and reduce on the threads of a rank.
#pragma once

#include <algorithm>
#include <vector>

#include "parallel/launch_count.hpp"
#include "parallel/pack.hpp"
#include "parallel/threads.hpp"

namespace solenoid {

// Optional members of a kernel, for kernels that compute pack_width consecutive items together faster than one by one,
// with the same results: `f.pack(first, count)` in forall, `f.pack(first, count, running, combine)` in reduce, which
// combines the value of item first + k into running[k]. count <= pack_width; first is a multiple of pack_width.

/// Calls f(i) for 0 <= i < n, in any order.
template <class F>
void forall(int n, F f) {
  count_launch();
  cpu::over_ranges<64>(n, [&f](int begin, int end) {
    F own = f;  // private to this thread
    if constexpr (requires { own.pack(0, 0); }) {
      for (int i = begin; i < end; i += pack_width) own.pack(i, std::min(pack_width, end - i));
    } else {
#pragma omp simd
      for (int i = begin; i < end; ++i) own(i);
    }
  });
}

namespace cpu {

/// Combines the items [begin, end): pack_width running values, then those pairwise.
template <class T, class F, class Combine>
T reduce_block(int begin, int end, T identity, F f, Combine combine) {
  T running[pack_width];
  for (T& value : running) value = identity;
  int i = begin;
  if constexpr (requires { f.pack(0, 0, running, combine); }) {
    for (; i < end; i += pack_width) f.pack(i, std::min(pack_width, end - i), running, combine);
  } else {
    for (; i + pack_width <= end; i += pack_width) {
      T values[pack_width];
#pragma omp simd
      for (int k = 0; k < pack_width; ++k) values[k] = f(i + k);
      for (int k = 0; k < pack_width; ++k) running[k] = combine(running[k], values[k]);
    }
    for (int k = 0; i < end; ++i, ++k) running[k] = combine(running[k], f(i));
  }
  for (int width = pack_width / 2; width > 0; width /= 2) {
    for (int k = 0; k < width; ++k) running[k] = combine(running[k], running[k + width]);
  }
  return running[0];
}

}  // namespace cpu

/// Combines f(i) over fixed blocks, then the blocks pairwise: the same tree on any number of threads, and an error that
/// grows with log n instead of n (Higham 1993).
template <class T, class F, class Combine>
T reduce(int n, T identity, F f, Combine combine) {
  constexpr int block = 512;
  count_launch();
  const int blocks = (n + block - 1) / block;
  static thread_local std::vector<T> partial;
  partial.assign(static_cast<std::size_t>(std::max(blocks, 1)), identity);
  T* const part = partial.data();
  cpu::over_ranges<1>(blocks, [&](int begin, int end) {
    F own = f;
    for (int b = begin; b < end; ++b) {
      part[b] = cpu::reduce_block(b * block, std::min(n, (b + 1) * block), identity, own, combine);
    }
  });
  for (int count = blocks; count > 1; count = (count + 1) / 2) {
    for (int b = 0; 2 * b < count; ++b) {
      part[b] = 2 * b + 1 < count ? combine(part[2 * b], part[2 * b + 1]) : part[2 * b];
    }
  }
  return part[0];
}

}  // namespace solenoid
