/// The largest eigenvalue of a level, and its smoother.
#pragma once

#include "mesh/host_exchange.hpp"
#include "solve/multigrid/host_level.hpp"

namespace solenoid {

/// Not less than the largest eigenvalue, nor much more: of 8 steps of Lanczos (1950) from scattered values, and 5 % on
/// top, and of the bound of Gershgorin (1931) for the matrix scaled by its null vector, the smaller. Rounded, so that
/// it does not depend on the number of ranks. Collective.
double largest_eigenvalue(const HostExchange& exchange, const HostLevel& level);

/// Two steps of Richardson with the roots of Chebyshev's polynomial on [lowest, highest]: x += step (b - A x) damps
/// what lies there best, whatever the order of the two.
struct ChebyshevSteps {
  float large, small;
};
ChebyshevSteps chebyshev_steps(double lowest, double highest);

}  // namespace solenoid
