/// forall and reduce on the threads of a rank.
#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "base/partial_sum.hpp"
#include "parallel/pack.hpp"
#include "parallel/stream.hpp"
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

/// Two of them.
template <class T, class F, class G, class Combine>
std::array<T, 2> reduce_two(int n, F f, int m, G g, T identity, Combine combine) {
  const T first = reduce(n, identity, f, combine);
  return {first, reduce(m, identity, g, combine)};
}

namespace cpu {

inline constexpr int exact_block = 512;  // terms: the sum of 512 counts of 52 bits fits 64 bits

/// Adds the terms of a block and overwrites them. Two passes add everything above 2^-50 of the largest term to the last
/// bit; more passes follow if anything is left.
inline void add_block(ExactSum& sum, double* terms) {
  constexpr std::uint64_t magnitude = ~std::uint64_t{0} >> 1;
  std::uint64_t largest = 0;
  for (int i = 0; i < exact_block; ++i) largest = std::max(largest, ExactSum::bits_of(terms[i]) & magnitude);
  if (largest == 0) return;
  if (ExactSum::exponent_of(largest) > ExactSum::largest_exponent) {
    sum.add_unfit();
    return;
  }
  for (Splitter coarse = Splitter::for_largest(ExactSum::exponent_of(largest));;) {
    const Splitter fine = coarse.next();
    std::int64_t in_coarse = 0, in_fine = 0;
    std::uint64_t left = 0;
    for (int i = 0; i < exact_block; ++i) {
      const double rest = coarse.rest(terms[i]), last = fine.rest(rest);
      in_coarse += coarse.chunk(terms[i]);
      in_fine += fine.chunk(rest);
      left |= ExactSum::bits_of(last);
      terms[i] = last;
    }
    sum.add(in_coarse, coarse.exponent);
    sum.add(in_fine, fine.exponent);
    if ((left & magnitude) == 0) return;
    coarse = fine.next();
  }
}

struct TakeNew {
  template <class T>
  T operator()(const T&, const T& value) const {
    return value;
  }
};

/// Adds f(i) for begin <= i < end, at most exact_block of them.
template <int N, class F>
void add_block_of(int begin, int end, const F& f, ExactSum* sums) {
  alignas(64) double terms[N][exact_block];
  if (end - begin < exact_block) std::fill(&terms[0][0], &terms[0][0] + N * exact_block, 0.0);
  Sums<N> values[pack_width];
  for (int i = begin; i < end; i += pack_width) {
    const int count = std::min(pack_width, end - i);
    if constexpr (requires { f.pack(0, 0, values, TakeNew{}); }) {
      std::fill(values, values + pack_width, Sums<N>{});
      f.pack(i, count, values, TakeNew{});
    } else {
      for (int l = 0; l < count; ++l) values[l] = f(i + l);
    }
    for (int k = 0; k < N; ++k) {
      for (int l = 0; l < count; ++l) terms[k][i - begin + l] = values[l][k];
    }
  }
  for (int k = 0; k < N; ++k) add_block(sums[k], terms[k]);
}

}  // namespace cpu

/// Adds the Sums<N> that f(i) returns for 0 <= i < n.
template <int N, class F>
void reduce_exactly(int n, F f, ExactSum* sums) {
  constexpr int block = cpu::exact_block;
  count_launch();
  const int blocks = (n + block - 1) / block;
  std::mutex one_at_a_time;
  cpu::over_ranges<1>(blocks, [&](int begin, int end) {
    F own = f;
    ExactSum of_range[N] = {};
    for (int b = begin; b < end; ++b) cpu::add_block_of<N>(b * block, std::min(n, (b + 1) * block), own, of_range);
    const std::lock_guard lock(one_at_a_time);
    for (int k = 0; k < N; ++k) sums[k].add(of_range[k]);
  });
}

}  // namespace solenoid
