/// Random numbers that are the same for the same seed on any machine.
#pragma once

#include <cstdint>
#include <random>

#include "base/real.hpp"

namespace solenoid {

/// std::uniform_real_distribution differs between libraries; these have 53 digits of the Mersenne twister.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::int64_t seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  /// In [0, 1).
  real next() { return static_cast<real>(static_cast<double>(engine_() >> 11) * 0x1p-53); }
  /// From 0 to `count` - 1, the lower ones more likely by less than count / 2^64.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace solenoid
