/// How much of a friction its implicit part knows.
#pragma once

#include "physics/flow_boundary.hpp"
#include "physics/rebuilt_momentum.hpp"

namespace solenoid {

/// The largest lambda with K z = lambda M C H R M z, z without divergence and without fluxes through walls and inlets:
/// K of `friction` where the boundary is at rest, H diagonal at edges. By at most `iterations` of the locally optimal
/// conjugate gradient method (Knyazev 2001) for potentials of z, from numbers that depend on the edges alone, until it
/// hardly grows: it comes from below. 0 where no such z is. Collective.
real largest_friction_ratio(const LocalMesh& mesh, const FlowBoundaries& boundaries, RebuiltMomentum& friction,
                            const Field<Edge>& inverse_mass, int iterations = 200);

}  // namespace solenoid
