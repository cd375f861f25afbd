#include "mesh/part_with_fewer_layers.hpp"

#include <algorithm>

#include "mesh/submesh.hpp"

namespace solenoid {

namespace {

/// The owned cells and `layers` layers around them.
Kept cells_within(const MeshPart& part, int layers) {
  Kept cells(part.cells());
  for (int c = 0; c < part.cell_numbering.owned; ++c) cells.keep(c);
  std::vector<char> touched(part.nodes());
  for (int layer = 0; layer < layers; ++layer) {
    for (int c = 0; c < part.cells(); ++c) {
      if (!cells.has(c)) continue;
      for (const int n : part.cell_nodes_of(c)) touched[n] = 1;
    }
    for (int c = part.cell_numbering.owned; c < part.cells(); ++c) {
      const std::span<const int> nodes = part.cell_nodes_of(c);
      if (std::any_of(nodes.begin(), nodes.end(), [&](int n) { return touched[n]; })) cells.keep(c);
    }
  }
  cells.count();
  return cells;
}

/// The local numbers of the thicker part without the gaps: both orders are by owner and global id.
LocalNumbering numbering(const LocalNumbering& of, const Kept& kept) {
  return {of.owned, of.global_count, kept.rows(of.global_id), kept.rows(of.owner)};
}

}  // namespace

MeshPart part_with_fewer_layers(const MeshPart& part, int layers) {
  const KeptEntities kept(part, cells_within(part, layers));
  MeshPart thin;
  for (const int copy : restrict_mesh(part, kept, thin)) thin.copy_id.push_back(part.copy_id[copy]);
  thin.cell_numbering = numbering(part.cell_numbering, kept.cells);
  thin.node_numbering = numbering(part.node_numbering, kept.nodes);
  thin.face_numbering = numbering(part.face_numbering, kept.faces);
  thin.edge_numbering = part.dimension == 2 ? thin.node_numbering : numbering(part.edge_numbering, kept.edges);
  thin.node_cell_count = kept.nodes.rows(part.node_cell_count);
  return thin;
}

}  // namespace solenoid
