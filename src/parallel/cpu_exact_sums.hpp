/// Exact sums on the threads of a rank.
#pragma once

#include <algorithm>
#include <mutex>

#include "parallel/cpu_backend.hpp"
#include "parallel/sums.hpp"

namespace solenoid {

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
