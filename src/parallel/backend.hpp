/// forall and reduce, one source for CPU threads and CUDA. CUDA conditionals: here and in base/real.hpp.
#pragma once

#include <algorithm>
#include <array>

#include "base/real.hpp"

#ifdef SOLENOID_CUDA
#if !defined(__CUDACC__) && !defined(SOLENOID_LAUNCHES_KERNELS)
#error "This file launches kernels: list it under KERNELS in its floor's CMakeLists.txt, so that nvcc compiles it."
#endif
#include "parallel/cuda_backend.hpp"
#define SOLENOID_KERNEL [=] __device__
#else
#include "parallel/cpu_backend.hpp"
#define SOLENOID_KERNEL [=]
#endif

namespace solenoid {

struct Plus {
  SOLENOID_HD real operator()(real a, real b) const { return a + b; }
  template <int N>
  SOLENOID_HD Sums<N> operator()(Sums<N> a, const Sums<N>& b) const {
    for (int k = 0; k < N; ++k) a[k] += b[k];
    return a;
  }
};

struct Maximum {  // a NaN wins and so stays visible
  SOLENOID_HD real operator()(real a, real b) const { return a > b || a != a ? a : b; }
  template <int N>
  SOLENOID_HD Sums<N> operator()(Sums<N> a, const Sums<N>& b) const {
    for (int k = 0; k < N; ++k) a[k] = (*this)(a[k], b[k]);
    return a;
  }
};

struct Minimum {  // a NaN wins here too
  SOLENOID_HD real operator()(real a, real b) const { return a < b || a != a ? a : b; }
};

/// This rank's parts of N sums: f(i) returns Sums<N> for 0 <= i < n; one pass. The shape of the sums depends on n
/// alone: same input, same bits, on any number of threads; for exact sums, on any number of ranks.
template <int N, class F>
PartialSums<N> reduce_sums(int n, F f) {
  PartialSums<N> parts;
  if (sums_are_exact()) {
    ExactSum exact[N] = {};
    reduce_exactly<N>(n, f, exact);
    for (int k = 0; k < N; ++k) parts[k] = PartialSum(exact[k]);
  } else {
    const Sums<N> rounded = reduce(n, Sums<N>{}, f, Plus{});
    for (int k = 0; k < N; ++k) parts[k] = PartialSum(rounded[k]);
  }
  return parts;
}

/// Wraps the value f(i) in Sums<1>.
template <class F>
struct AsSums {
  F f;
  SOLENOID_HD Sums<1> operator()(int i) const { return {{f(i)}}; }
};

/// This rank's part of the sum of f(i) for 0 <= i < n, as above.
template <class F>
PartialSum reduce_sum(int n, F f) {
  if (sums_are_exact()) return reduce_sums<1>(n, AsSums<F>{f})[0];
  return PartialSum(reduce(n, real{0}, f, Plus{}));
}

/// Largest f(i), at least `floor`.
template <class F>
real reduce_max(int n, real floor, F f) {
  return reduce(n, floor, f, Maximum{});
}

/// Largest of each of the N numbers that f(i) returns as Sums<N>, at least 0.
template <int N, class F>
Sums<N> reduce_maxima(int n, F f) {
  return reduce(n, Sums<N>{}, f, Maximum{});
}

/// Largest f(i), 0 <= i < n, and largest g(j), 0 <= j < m, at least 0, with one wait of the host.
template <class F, class G>
std::array<real, 2> reduce_two_max(int n, F f, int m, G g) {
  return reduce_two(n, f, m, g, real{0}, Maximum{});
}

/// Smallest f(i), at most `ceiling`.
template <class F>
real reduce_min(int n, real ceiling, F f) {
  return reduce(n, ceiling, f, Minimum{});
}

}  // namespace solenoid
