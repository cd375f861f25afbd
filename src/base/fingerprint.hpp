/// A hash of a set of data that does not depend on order or partition.
#pragma once

#include <bit>
#include <cstdint>

#include "base/comm.hpp"

namespace solenoid {

class Fingerprint {
 public:
  /// Adds the bits of `value` at `place`; every place has a number of its own.
  void add(std::uint64_t place, std::uint64_t value) { sum_ += mixed(mixed(place) ^ value); }
  void add(std::uint64_t place, std::int64_t value) { add(place, static_cast<std::uint64_t>(value)); }
  void add(std::uint64_t place, double value) { add(place, std::bit_cast<std::uint64_t>(value)); }
  void add(std::uint64_t place, float value) { add(place, std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }

  std::int64_t of_this_rank() const { return static_cast<std::int64_t>(sum_); }
  std::int64_t of_all_ranks(const Comm& comm) const { return comm.sum(of_this_rank()); }  ///< Collective.

 private:
  /// Each bit of the result depends on all bits of `x` (the finalizer of splitmix64, Steele et al. 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t sum_ = 0;  // modulo 2^64
};

}  // namespace solenoid
