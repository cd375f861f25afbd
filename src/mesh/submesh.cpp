#include "mesh/submesh.hpp"

#include <utility>

namespace solenoid {

void Kept::count() {
  int next = 0;
  for (int& number : number_) {
    if (number != left_out) number = next++;
  }
  count_ = next;
}

std::vector<int> Kept::renumbered(std::vector<int> entities) const {
  for (int& entity : entities) entity = number_[entity];
  return entities;
}

namespace {

/// Entities in the rows, `width` wide, of kept entities.
Kept members(const Kept& of, const std::vector<int>& table, int width, int count) {
  Kept found(count);
  const int rows = static_cast<int>(table.size()) / width;
  for (int i = 0; i < rows; ++i) {
    if (!of.has(i)) continue;
    for (const int entity : row_of(table, i, width)) found.keep(entity);
  }
  found.count();
  return found;
}

/// Restricts the copies of points to those of kept cells and faces.
std::vector<int> copy_images(const Connectivity& mesh, const KeptEntities& kept, Connectivity& restricted) {
  Kept points(static_cast<int>(mesh.points.size()));
  for (int n = 0; n < mesh.nodes(); ++n) {
    if (kept.nodes.has(n)) points.keep(n);
  }
  restricted.cell_points = kept.cells.rows(mesh.cell_points, mesh.corners());
  restricted.face_points = kept.faces.rows(mesh.face_points, mesh.dimension);
  for (const auto* table : {&restricted.cell_points, &restricted.face_points}) {
    for (const int point : *table) points.keep(point);
  }
  points.count();
  restricted.points = points.rows(mesh.points);
  restricted.cell_points = points.renumbered(std::move(restricted.cell_points));
  restricted.face_points = points.renumbered(std::move(restricted.face_points));
  restricted.face_pair = kept.faces.rows(mesh.face_pair);
  const int turns = static_cast<int>(mesh.pairs.size());
  std::vector<int> copies;
  for (int point = mesh.nodes(); point < static_cast<int>(mesh.points.size()); ++point) {
    if (!points.has(point)) continue;
    const int copy = point - mesh.nodes();
    copies.push_back(copy);
    restricted.copy_node.push_back(mesh.copy_node[copy]);
    for (int k = 0; k < turns; ++k) restricted.copy_turns.push_back(mesh.copy_turns[copy * turns + k]);
  }
  restricted.copy_node = kept.nodes.renumbered(std::move(restricted.copy_node));
  return copies;
}

}  // namespace

KeptEntities::KeptEntities(const Connectivity& mesh, Kept its_cells)
    : cells(std::move(its_cells)),
      nodes(members(cells, mesh.cell_nodes, mesh.corners(), mesh.nodes())),
      faces(members(cells, mesh.cell_faces, mesh.corners(), mesh.faces())),
      edges(mesh.dimension == 2 ? nodes : members(faces, mesh.face_edges, 3, mesh.edges())) {}

std::vector<int> restrict_mesh(const Connectivity& mesh, const KeptEntities& kept, Connectivity& restricted) {
  const auto& [cells, nodes, faces, edges] = kept;
  const int d = mesh.dimension, corners = mesh.corners();
  restricted.dimension = d;
  restricted.patches = mesh.patches;
  restricted.regions = mesh.regions;
  restricted.pairs = mesh.pairs;
  restricted.boundary_loop_is_hole = mesh.boundary_loop_is_hole;
  restricted.cell_nodes = nodes.renumbered(cells.rows(mesh.cell_nodes, corners));
  restricted.cell_faces = faces.renumbered(cells.rows(mesh.cell_faces, corners));
  restricted.cell_region = cells.rows(mesh.cell_region);
  restricted.face_nodes = nodes.renumbered(faces.rows(mesh.face_nodes, d));
  restricted.face_patch = faces.rows(mesh.face_patch);
  restricted.node_boundary_loop = nodes.rows(mesh.node_boundary_loop);
  if (d == 3) {
    restricted.edge_nodes = nodes.renumbered(edges.rows(mesh.edge_nodes, 2));
    restricted.face_edges = edges.renumbered(faces.rows(mesh.face_edges, 3));
  }
  if (!mesh.pairs.empty()) return copy_images(mesh, kept, restricted);
  restricted.points = nodes.rows(mesh.points);
  return {};
}

}  // namespace solenoid
