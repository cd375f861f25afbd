/// The coarsest level: a stored inverse.
#pragma once

#include "solve/multigrid/host_level.hpp"

namespace solenoid {

/// The inverse of a level that a rank holds alone. A part of it that its null vector v solves with zero on the right
/// (nothing holds its values) has A + v v^T / v^T v in the place of A: right for right-hand sides in the range.
SingleRows dense_inverse(const HostLevel& level);

}  // namespace solenoid
