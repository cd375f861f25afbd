#include "run/mesh_piece.hpp"

namespace solenoid {

MeshPiece::MeshPiece(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<int> place(part.nodes(), -1);
  piece.dimension = mesh.dimension();
  for (int slot = 0; slot < mesh.total<Cell>() * corners; ++slot) {
    const int n = part.cell_nodes[slot];
    if (place[n] < 0) {
      place[n] = static_cast<int>(nodes.size());
      nodes.push_back(n);
      piece.points.push_back(part.points[n]);
      piece.point_ids.push_back(part.node_numbering.global_id[n]);
      piece.point_ranks.push_back(part.node_numbering.owner[n]);
    }
    piece.cells.push_back(place[n]);
  }
  piece.cell_ids = part.cell_numbering.global_id;
  piece.cell_ranks = part.cell_numbering.owner;
  piece.has_regions = part.regions.size() > 1;
  if (piece.has_regions) piece.cell_region = part.cell_region;
}

}  // namespace solenoid
