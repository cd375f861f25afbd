/// A Rayleigh-Ritz step of an eigenvalue iteration: the best combination of a few directions.
#pragma once

#include <array>
#include <optional>

#include "base/real.hpp"

namespace solenoid {

/// Lower triangles of products of three directions.
using Products = std::array<std::array<real, 3>, 3>;

/// Coefficients c of the first `count` directions that maximize c.A c with c.B c = 1; nullopt if B is not positive
/// definite. A and B symmetric.
std::optional<std::array<real, 3>> largest_combination(const Products& A, const Products& B, int count);

}  // namespace solenoid
