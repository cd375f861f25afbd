/// A rank's part of the mesh, its own entities and then the halo; cut out on the reading rank and sent to its owner.
#pragma once

#include <optional>
#include <vector>

#include "base/comm.hpp"
#include "mesh/local_numbering.hpp"
#include "mesh/topology.hpp"

namespace solenoid {

/// The data of one rank: its cells, the layers of cells around them, and all their nodes, edges and faces, in local
/// numbers. An entity belongs to the rank that owns the lowest cell around it.
struct MeshPart : Connectivity {
  LocalNumbering node_numbering, edge_numbering, face_numbering, cell_numbering;
  std::vector<int> node_cell_count;   ///< cells around each node in the whole mesh
  std::vector<std::int64_t> copy_id;  ///< per copy of a point: its number in the whole mesh, after those of the nodes

  /// Number of a point in the whole mesh: that of its node or of its copy.
  std::int64_t point_id(int point) const {
    return point < nodes() ? node_numbering.global_id[point] : copy_id[point - nodes()];
  }
};

/// Distributes `mesh` (on rank 0; absent elsewhere) by `cell_owner`, with `layers` layers of halo cells: each layer
/// adds all cells that share a node with the cells so far. The operators need one layer. Collective. Rank 0 sends one
/// part at a time: it holds the whole mesh and one part, the other ranks only their own part.
MeshPart distribute(const Comm& comm, const std::optional<GlobalMesh>& mesh, const std::vector<int>& cell_owner,
                    int layers);

}  // namespace solenoid
