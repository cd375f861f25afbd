/// Several sums in one pass over the data.
#pragma once

#include <array>

#include "base/partial_sum.hpp"

namespace solenoid {

/// N numbers, summed side by side.
template <int N>
struct Sums {
  real value[N] = {};
  SOLENOID_HD real& operator[](int k) { return value[k]; }
  SOLENOID_HD real operator[](int k) const { return value[k]; }
};

/// This rank's parts of N sums over all ranks.
template <int N>
using PartialSums = std::array<PartialSum, N>;

/// Sums over all ranks. Collective.
template <std::size_t N>
Sums<static_cast<int>(N)> totals(const Comm& comm, const std::array<PartialSum, N>& parts) {
  Sums<static_cast<int>(N)> sums;
  add_up(comm, parts, sums.value);
  return sums;
}

}  // namespace solenoid
