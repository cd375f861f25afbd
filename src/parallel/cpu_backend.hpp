/// forall and reduce on the threads of a rank.
#pragma once

#include <algorithm>
#include <vector>

namespace solenoid {

/// f(i) for 0 <= i < n, in any order.
template <class F>
void forall(int n, F f) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (n > 2048)
#endif
  for (int i = 0; i < n; ++i) f(i);
}

/// Combines f(i) over fixed blocks with four running values each, then the blocks pairwise: the same tree on any number
/// of threads, and an error that grows with log n instead of n (Higham 1993).
template <class T, class F, class Combine>
T reduce(int n, T identity, F f, Combine combine) {
  constexpr int block = 512, lanes = 4;
  const int blocks = (n + block - 1) / block;
  static thread_local std::vector<T> partial;
  partial.assign(static_cast<std::size_t>(std::max(blocks, 1)), identity);
  T* const part = partial.data();
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (blocks > 4)
#endif
  for (int b = 0; b < blocks; ++b) {
    const int begin = b * block, end = std::min(n, begin + block);
    T running[lanes];
    for (T& value : running) value = identity;
    int i = begin;
    for (; i + lanes <= end; i += lanes) {
      for (int k = 0; k < lanes; ++k) running[k] = combine(running[k], f(i + k));
    }
    for (int k = 0; i < end; ++i, ++k) running[k] = combine(running[k], f(i));
    part[b] = combine(combine(running[0], running[1]), combine(running[2], running[3]));
  }
  for (int count = blocks; count > 1; count = (count + 1) / 2) {
    for (int b = 0; 2 * b < count; ++b) {
      part[b] = 2 * b + 1 < count ? combine(part[2 * b], part[2 * b + 1]) : part[2 * b];
    }
  }
  return part[0];
}

}  // namespace solenoid
