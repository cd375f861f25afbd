/// Counts of a partitioned mesh.
#pragma once

#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// For the log and machine-readable summaries; the same on every rank.
struct MeshCounts {
  int dimension = 2;
  std::int64_t nodes = 0, edges = 0, faces = 0, cells = 0;
  std::vector<std::string> patches, regions;
  std::int64_t cells_min = 0, cells_max = 0;  ///< owned per rank
  std::int64_t cut_faces = 0;                 ///< between cells of two ranks
  std::int64_t halo_cells = 0;                ///< over all ranks
};

/// Collective.
MeshCounts count_mesh(const LocalMesh& mesh);

/// "mesh: 18612 cells, ...", a line for the log.
std::string mesh_line(const MeshCounts& mesh);

}  // namespace solenoid
