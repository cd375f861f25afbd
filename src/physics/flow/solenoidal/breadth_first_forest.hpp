/// Breadth-first trees of cells, the same on any partition.
#pragma once

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/solenoidal/rank_forest.hpp"

namespace solenoid {

/// The trees of shortest ways from the cells to outlets, or to the cell of the lowest global id where a part of the
/// domain has none: to the neighbour that is one face closer, through the face of the lowest global id. Each rank has
/// the pieces that its cells are. Many more trees than ranks: some per face between ranks. Collective.
RankForest breadth_first_forest(const LocalMesh& mesh, const FlowBoundaries& boundaries);

}  // namespace solenoid
