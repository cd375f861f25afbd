/// Prefetching of gathered values, which hardware prefetchers do not see.
#pragma once

#include <cstddef>

#include "mesh/incidence.hpp"
#include "parallel/pack.hpp"

namespace solenoid {

/// On CPU cores, prefetches `value`, which has some hundred bytes at most.
template <class T>
[[gnu::always_inline]] SOLENOID_HD inline void start_to_fetch([[maybe_unused]] const T& value) {
  if constexpr (cores_take_packs) {
    constexpr std::size_t line = 64;
    const char* const begin = reinterpret_cast<const char*>(&value);
    for (std::size_t k = 0; k < sizeof(T); k += line) __builtin_prefetch(begin + k);
    __builtin_prefetch(begin + sizeof(T) - 1);
  }
}

/// On CPU cores, prefetches the `values` that a kernel over `rows` gathers some rows after row i of `count`.
template <class To, class From, class T>
[[gnu::always_inline]] SOLENOID_HD inline void fetch_ahead([[maybe_unused]] const IncidenceView<To, From>& rows,
                                                           [[maybe_unused]] int i, [[maybe_unused]] int count,
                                                           [[maybe_unused]] View<From, const T> values) {
  if constexpr (cores_take_packs) {
    constexpr int ahead = 24;
    if (i + ahead >= count) return;
    const int end = rows.offset[i + ahead + 1];
    for (int k = rows.offset[i + ahead]; k < end; ++k) {
      start_to_fetch(values.data[rows.code[k] ^ (rows.code[k] >> 31)]);
    }
  }
}

}  // namespace solenoid
