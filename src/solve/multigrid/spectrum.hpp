/// The largest eigenvalue of a level, and its smoother.
#pragma once

#include "mesh/host_exchange.hpp"
#include "solve/multigrid/host_level.hpp"

namespace solenoid {

/// Estimated upper bound, close, of the largest eigenvalue: the smaller of 8 Lanczos steps (1950) from scattered values
/// plus 5 %, and of the bound of Gershgorin (1931) for the matrix scaled by its null vector. Rounded up, so that it
/// does not depend on the number of ranks. Collective.
double largest_eigenvalue(const HostExchange& exchange, const HostLevel& level);

/// Two Richardson steps with the roots of Chebyshev's polynomial on [lowest, highest]: x += step (b - A x) damps that
/// interval best, in either order.
struct ChebyshevSteps {
  float large, small;
};
ChebyshevSteps chebyshev_steps(double lowest, double highest);

}  // namespace solenoid
