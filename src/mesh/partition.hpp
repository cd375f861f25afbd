/// Partition of the cells by METIS on the graph of cells that share a face. The only user of METIS.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Owner rank of each cell of the whole mesh, by METIS' k-way partition (Karypis & Kumar 1998) with `parts` parts.
/// With fewer cells than parts the last ranks own nothing. Throws Error (exit code 1) if METIS fails.
std::vector<int> partition_cells(const GlobalMesh& mesh, int parts);

/// Balance of a partition and size of its halo exchange.
struct PartitionReport {
  int ranks = 1;
  std::int64_t cells_min = 0, cells_max = 0;            ///< owned by one rank
  std::int64_t halo_cells_max = 0, halo_cells_sum = 0;  ///< halo copies per rank: cells that share a node with its own
  std::int64_t cut_faces = 0;                           ///< between cells of different ranks
  int neighbours_max = 0;                               ///< exchange partners of one rank
  double imbalance = 0;                                 ///< largest over mean number of cells per rank, minus 1
};

/// `owner`: the result of partition_cells for the same number of ranks.
PartitionReport report_partition(const GlobalMesh& mesh, const std::vector<int>& owner, int ranks);

}  // namespace solenoid
