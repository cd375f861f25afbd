/// Breadth-first trees of cells, the same on any partition.
#pragma once

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/solenoidal/rank_forest.hpp"

namespace solenoid {

/// Trees of shortest paths from the cells to outlets, or to the cell of lowest global id in a part without outlets.
/// Each step goes to a neighbour one face closer, through the face of lowest global id. Each rank has the pieces of its
/// own cells: many more trees than ranks, some per face between ranks. Collective.
RankForest breadth_first_forest(const LocalMesh& mesh, const FlowBoundaries& boundaries);

}  // namespace solenoid
