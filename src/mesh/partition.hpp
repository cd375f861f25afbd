/// Which rank owns which cell: METIS on the graph of cells that share a face (sole user of METIS).
#pragma once

#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Owner rank of each cell of the whole mesh, by METIS' k-way partition (Karypis & Kumar 1998) with `parts` parts.
/// With fewer cells than parts the last ranks own nothing. Throws Error (exit code 1) if METIS fails.
std::vector<int> partition_cells(const GlobalMesh& mesh, int parts);

}  // namespace solenoid
