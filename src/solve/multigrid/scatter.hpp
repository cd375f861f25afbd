/// Pseudorandom numbers from global ids alone, the same on any number of ranks.
#pragma once

#include <cmath>
#include <cstdint>

namespace solenoid {

/// A permutation of the numbers below 2^62, each bit of the result depending on all of the key's: xor-shifts and odd
/// factors (after Steele, Lea & Flood 2014, SplitMix).
inline std::uint64_t scattered_number(std::int64_t key) {
  constexpr std::uint64_t bits = (std::uint64_t{1} << 62) - 1;
  auto x = static_cast<std::uint64_t>(key) & bits;
  x = (x + 0x1e3779b97f4a7c15u) & bits;
  x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u) & bits;
  x = ((x ^ (x >> 27)) * 0x94d049bb133111ebu) & bits;
  return x ^ (x >> 31);
}

/// The same in [-1, 1).
inline double scattered_value(std::int64_t key) {
  return std::ldexp(static_cast<double>(scattered_number(key)), -61) - 1;
}

}  // namespace solenoid
