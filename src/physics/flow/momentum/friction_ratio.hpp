/// The largest ratio of a friction to its implicit part, by locally optimal conjugate gradients.
#pragma once

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/potential_momentum_system.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

/// The largest lambda with K z = lambda K_0 z, z divergence-free and 0 on faces with prescribed flux: K of `friction`
/// with the boundary at rest, K_0 of `implicit`. At most `iterations` of the locally optimal conjugate gradient method
/// (Knyazev 2001) for potentials of z, with K_0's diagonal and start values by the edges' ids alone. They rise to
/// lambda and end when the limits extrapolated from them and from ten iterations before differ by the share `settled`:
/// the limit, within 7 % on all kinds of meshes tried. 0 if there is no such z. Collective.
real largest_friction_ratio(const LocalMesh& mesh, const FlowBoundaries& boundaries, RebuiltMomentum& friction,
                            PotentialMomentumSystem& implicit, int iterations = 200, real settled = 0.03);

}  // namespace solenoid
