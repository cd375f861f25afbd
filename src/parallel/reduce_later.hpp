/// Reductions for whose results the host does not wait yet. For files that launch kernels.
#pragma once

#include "parallel/backend.hpp"
#include "parallel/pending.hpp"

namespace solenoid {

/// As reduce_sums().
template <int N, class F>
PendingSums<N> begin_sums(int n, F f) {
#ifdef SOLENOID_CUDA
  if (n <= 0) return PendingSums<N>(PartialSums<N>{});
  if (sums_are_exact()) {
    using Exact = typename PendingSums<N>::Exact;
    ResultPlace place(sizeof(Exact));
    cuda::reduce_exactly_into<N>(n, f, cuda::StoreExact<N>{static_cast<Exact*>(place.data())->sum});
    place.mark();
    return PendingSums<N>(Pending<Exact>(std::move(place)));
  }
  ResultPlace place(sizeof(Sums<N>));
  cuda::reduce_into(n, Sums<N>{}, f, Plus{}, cuda::Store<Sums<N>>{static_cast<Sums<N>*>(place.data())});
  place.mark();
  return PendingSums<N>(Pending<Sums<N>>(std::move(place)));
#else
  return PendingSums<N>(reduce_sums<N>(n, f));
#endif
}

/// As reduce_sum().
template <class F>
PendingSums<1> begin_sum(int n, F f) {
#ifdef SOLENOID_CUDA
  return begin_sums<1>(n, AsSums<F>{f});
#else
  return PendingSums<1>(PartialSums<1>{reduce_sum(n, f)});
#endif
}

/// As reduce_maxima().
template <int N, class F>
Pending<Sums<N>> begin_maxima(int n, F f) {
#ifdef SOLENOID_CUDA
  if (n <= 0) return Pending<Sums<N>>(Sums<N>{});
  ResultPlace place(sizeof(Sums<N>));
  cuda::reduce_into(n, Sums<N>{}, f, Maximum{}, cuda::Store<Sums<N>>{static_cast<Sums<N>*>(place.data())});
  place.mark();
  return Pending<Sums<N>>(std::move(place));
#else
  return Pending<Sums<N>>(reduce_maxima<N>(n, f));
#endif
}

/// As reduce_max(), at least 0.
template <class F>
Pending<Sums<1>> begin_max(int n, F f) {
#ifdef SOLENOID_CUDA
  return begin_maxima<1>(n, AsSums<F>{f});
#else
  return Pending<Sums<1>>(Sums<1>{{reduce_max(n, 0, f)}});
#endif
}

}  // namespace solenoid
