/// Best approximation in the span of a few vectors, from their inner products.
#pragma once

#include <array>

#include "base/real.hpp"

namespace solenoid {

/// Coefficients c of the sum_i c_i v_i nearest to x, from products[i] = (v_i, x) and gram[i][j] = (v_i, v_j), symmetric
/// up to round-off. Directions that differ by round-off only, zero vectors included, are excluded.
template <std::size_t N>
std::array<real, N> projection(const std::array<std::array<real, N>, N>& gram, const std::array<real, N>& products);

}  // namespace solenoid
