/// The largest ratio of a friction to its implicit part, by locally optimal conjugate gradients.
#pragma once

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/potential_momentum_system.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

/// The largest lambda with K z = lambda K_0 z, z divergence-free and 0 on faces with prescribed flux: K of `friction`
/// with the boundary at rest, K_0 of `implicit`. At most `iterations` of the locally optimal conjugate gradient method
/// (Knyazev 2001) for potentials of z, with K_0's diagonal and start values by the edges' ids alone, until twenty raise
/// lambda by less than the factor `settled`, or one and a half times what they raise it by would not lift it over a
/// multiple of `step`, unless that is 0, after forty at the earliest: a lower bound. 0 if there is no such z.
/// Collective.
real largest_friction_ratio(const LocalMesh& mesh, const FlowBoundaries& boundaries, RebuiltMomentum& friction,
                            PotentialMomentumSystem& implicit, real step = 0, int iterations = 200,
                            real settled = 1.01);

}  // namespace solenoid
