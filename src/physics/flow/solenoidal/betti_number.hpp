/// Number of harmonic fluxes of a domain, from its topology.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/flow/solenoidal/spanning_tree_projection.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Free where no face with a given flux has the edge, else prescribed (3D). Per local edge. Collective.
std::vector<int> roles_of_edges(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// The second Betti number b_2 of the domain relative to the faces whose flux is given, in 3D: the dimension of the
/// fluxes without divergence there beside those of potentials. From the Euler characteristic
/// b_0 - b_1 + b_2 - b_3 = nodes - edges + faces - cells of what is free: b_3 are the parts that are closed, b_0 those
/// with no given flux at all, b_1 the connected surfaces with given fluxes beyond the first of each part, and the
/// directions of periodic pairs in which none of them winds: where every tunnel of the domain is one around such a
/// surface. Elsewhere it is off, which HarmonicFluxes notices. Collective.
std::int64_t betti_number(const LocalMesh& mesh, const FlowBoundaries& boundaries, const SpanningTreeProjection& tree);

}  // namespace solenoid
