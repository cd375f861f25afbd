#include "run/observe/mesh_piece.hpp"

namespace solenoid {

MeshPiece::MeshPiece(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<int> place(part.points.size(), -1);
  piece.dimension = mesh.dimension();
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    for (int k = 0; k < corners; ++k) {
      const int n = part.cell_nodes_of(c)[k], point = part.cell_points_of(c)[k];
      if (place[point] < 0) {
        place[point] = static_cast<int>(nodes.size());
        nodes.push_back(n);
        piece.points.push_back(part.points[point]);
        piece.point_ids.push_back(part.point_id(point));
        piece.point_ranks.push_back(part.node_numbering.owner[n]);
      }
      piece.cells.push_back(place[point]);
    }
  }
  piece.cell_ids = part.cell_numbering.global_id;
  piece.cell_ranks = part.cell_numbering.owner;
  piece.has_regions = part.regions.size() > 1;
  if (piece.has_regions) piece.cell_region = part.cell_region;
}

}  // namespace solenoid
