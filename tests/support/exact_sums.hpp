/// Sums over ranks that are exact while a test runs.
#pragma once

#include "base/partial_sum.hpp"

namespace solenoid {

struct ExactSums {
  ExactSums() { make_sums_exact(true); }
  ~ExactSums() { make_sums_exact(false); }
  ExactSums(const ExactSums&) = delete;
  ExactSums& operator=(const ExactSums&) = delete;
};

}  // namespace solenoid
