/// The ratio of a friction to its implicit part, by power iteration.
#pragma once

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/potential_momentum_system.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

/// The largest lambda with K z = lambda K_0 z, z without divergence and without fluxes through walls and inlets: K of
/// `friction` where the boundary is at rest, K_0 of `implicit`. By at most `iterations` of the locally optimal
/// conjugate gradient method (Knyazev 2001) for potentials of z, with K_0's diagonal, from numbers that depend on the
/// edges alone, until twenty of them raise it by less than the factor `settled`: it comes from below. 0 where no such
/// z is. Collective.
real largest_friction_ratio(const LocalMesh& mesh, const FlowBoundaries& boundaries, RebuiltMomentum& friction,
                            PotentialMomentumSystem& implicit, int iterations = 200, real settled = 1.01);

}  // namespace solenoid
