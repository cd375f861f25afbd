/// The coarsest level: a stored inverse.
#pragma once

#include "solve/multigrid/host_level.hpp"

namespace solenoid {

/// The inverse of a level held by one rank. On a connected part whose null vector v solves A v = 0 (its values are
/// undetermined), A is replaced by A + v v^T / v^T v: correct for right-hand sides in the range.
SingleRows dense_inverse(const HostLevel& level);

}  // namespace solenoid
