/// How a kernel runs: forall and reduce, one source for CPU threads and CUDA. Together with the files
/// beside it the only place with CUDA conditionals.
#pragma once

#include <algorithm>

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

/// Several sums taken in one pass over the data.
template <int N>
struct Sums {
  real value[N] = {};
  SOLENOID_HD real& operator[](int k) { return value[k]; }
  SOLENOID_HD real operator[](int k) const { return value[k]; }
};

struct Plus {
  SOLENOID_HD real operator()(real a, real b) const { return a + b; }
  template <int N>
  SOLENOID_HD Sums<N> operator()(Sums<N> a, const Sums<N>& b) const {
    for (int k = 0; k < N; ++k) a[k] += b[k];
    return a;
  }
};

struct Maximum {  // a NaN wins, so that it is noticed
  SOLENOID_HD real operator()(real a, real b) const { return a > b || a != a ? a : b; }
};

struct Minimum {  // a NaN wins here too
  SOLENOID_HD real operator()(real a, real b) const { return a < b || a != a ? a : b; }
};

/// Sum of f(i) for 0 <= i < n. The shape of the sum depends on n alone: same input, same bits, on any number of
/// threads.
template <class F>
real reduce_sum(int n, F f) {
  return reduce(n, real{0}, f, Plus{});
}

/// N sums of the Sums<N> that f(i) returns, in one pass.
template <int N, class F>
Sums<N> reduce_sums(int n, F f) {
  return reduce(n, Sums<N>{}, f, Plus{});
}

/// Largest f(i), at least `floor`.
template <class F>
real reduce_max(int n, real floor, F f) {
  return reduce(n, floor, f, Maximum{});
}

/// Smallest f(i), at most `ceiling`.
template <class F>
real reduce_min(int n, real ceiling, F f) {
  return reduce(n, ceiling, f, Minimum{});
}

}  // namespace solenoid
