/// Dense systems of a few unknowns, on the host.
#pragma once

#include <vector>

#include "base/real.hpp"

namespace solenoid {

/// Solves A x = b, A symmetric and positive definite, stored row by row.
std::vector<real> solve_dense(const std::vector<real>& matrix, const std::vector<real>& b);

}  // namespace solenoid
