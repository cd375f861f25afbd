/// Polynomial approximation of 1/sqrt(x).
#pragma once

#include <vector>

#include "base/real.hpp"

namespace solenoid {

/// p(x), near 1 / sqrt(1 + reach x) for 0 <= x <= 1: the sum of coefficient[k] T_k(2 x - 1), T_k Chebyshev's. Of the
/// lowest degree with which p^2 (1 + reach x) varies by no more than `ratio`, or of degree 12.
std::vector<real> inverse_root(real reach, real ratio);

}  // namespace solenoid
