/// Dense systems of a few unknowns, on the host.
#pragma once

#include <vector>

#include "base/real.hpp"

namespace solenoid {

/// x with A x = b, A symmetric and positive definite, its rows one after the other.
std::vector<real> solve_dense(const std::vector<real>& matrix, const std::vector<real>& b);

}  // namespace solenoid
