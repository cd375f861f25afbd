/// Polynomial approximation of 1/sqrt(x).
#pragma once

#include <vector>

#include "base/real.hpp"

namespace solenoid {

/// Coefficients of p(x) near 1 / sqrt(1 + reach x) for 0 <= x <= 1, p = sum_k coefficient[k] T_k(2 x - 1) with
/// Chebyshev's T_k. Of the lowest degree, at most 12, for which p^2 (1 + reach x) varies by no more than `ratio`.
std::vector<real> inverse_root(real reach, real ratio);

}  // namespace solenoid
