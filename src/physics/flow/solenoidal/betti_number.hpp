/// Number of harmonic fluxes of a domain, from its topology.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/flow/solenoidal/spanning_tree_projection.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Per local edge: prescribed if it belongs to a face with prescribed flux, else free (3D). Collective.
std::vector<int> roles_of_edges(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Second Betti number b_2 of the domain relative to the faces with prescribed flux, in 3D: the dimension of the
/// harmonic fluxes there. From the Euler characteristic b_0 - b_1 + b_2 - b_3 = nodes - edges + faces - cells of the
/// free entities: b_3 counts the closed parts, b_0 the parts without any prescribed flux, b_1 the connected surfaces
/// with prescribed fluxes beyond the first of each part, and the directions of periodic pairs in which no such surface
/// winds. Correct if every tunnel of the domain goes around such a surface; otherwise HarmonicFluxes detects the
/// difference. Collective.
std::int64_t betti_number(const LocalMesh& mesh, const FlowBoundaries& boundaries, const SpanningTreeProjection& tree);

}  // namespace solenoid
