#include "mesh/thinner_part.hpp"

#include <algorithm>

namespace solenoid {

namespace {

constexpr int left_out = -1;

/// Entities that stay, in their order: the local numbers of a part with fewer layers are those of the thicker one
/// without gaps, for both go by owner and global id.
class Kept {
 public:
  explicit Kept(int count) : number_(count, left_out) {}

  void keep(int entity) { number_[entity] = 0; }
  bool has(int entity) const { return number_[entity] != left_out; }
  /// Once all are known.
  void count() {
    int next = 0;
    for (int& number : number_) {
      if (number != left_out) number = next++;
    }
    count_ = next;
  }

  /// Of those that stay, the rows of a table.
  template <class T>
  std::vector<T> rows(const std::vector<T>& table, int width = 1) const {
    std::vector<T> result;
    if (table.empty()) return result;
    result.reserve(static_cast<std::size_t>(count_) * width);
    for (std::size_t i = 0; i < number_.size(); ++i) {
      if (number_[i] != left_out)
        result.insert(result.end(), table.begin() + i * width, table.begin() + (i + 1) * width);
    }
    return result;
  }
  LocalNumbering numbering(const LocalNumbering& of) const {
    return {of.owned, of.global_count, rows(of.global_id), rows(of.owner)};
  }
  std::vector<int> renumbered(std::vector<int> entities) const {
    for (int& entity : entities) entity = number_[entity];
    return entities;
  }

 private:
  std::vector<int> number_;
  int count_ = 0;
};

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

/// What entities that stay have in a table of theirs, `width` each.
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

/// The places beyond periodic pairs that cells and faces which stay have.
void take_copies(const MeshPart& part, const Kept& cells, const Kept& faces, const Kept& nodes, MeshPart& thin) {
  Kept points(static_cast<int>(part.points.size()));
  for (int n = 0; n < part.nodes(); ++n) {
    if (nodes.has(n)) points.keep(n);
  }
  thin.cell_points = cells.rows(part.cell_points, part.corners());
  thin.face_points = faces.rows(part.face_points, part.dimension);
  for (const auto* table : {&thin.cell_points, &thin.face_points}) {
    for (const int point : *table) points.keep(point);
  }
  points.count();
  thin.points = points.rows(part.points);
  thin.cell_points = points.renumbered(std::move(thin.cell_points));
  thin.face_points = points.renumbered(std::move(thin.face_points));
  thin.face_pair = faces.rows(part.face_pair);
  const int turns = static_cast<int>(part.pairs.size());
  for (int point = part.nodes(); point < static_cast<int>(part.points.size()); ++point) {
    if (!points.has(point)) continue;
    const int copy = point - part.nodes();
    thin.copy_node.push_back(part.copy_node[copy]);
    thin.copy_id.push_back(part.copy_id[copy]);
    for (int k = 0; k < turns; ++k) thin.copy_turns.push_back(part.copy_turns[copy * turns + k]);
  }
  thin.copy_node = nodes.renumbered(std::move(thin.copy_node));
}

}  // namespace

MeshPart thinner_part(const MeshPart& part, int layers) {
  const int d = part.dimension, corners = part.corners();
  const Kept cells = cells_within(part, layers);
  const Kept nodes = members(cells, part.cell_nodes, corners, part.nodes());
  const Kept faces = members(cells, part.cell_faces, corners, part.faces());
  MeshPart thin;
  thin.dimension = d;
  thin.patches = part.patches;
  thin.regions = part.regions;
  thin.pairs = part.pairs;
  thin.wall_is_hole = part.wall_is_hole;
  thin.cell_numbering = cells.numbering(part.cell_numbering);
  thin.node_numbering = nodes.numbering(part.node_numbering);
  thin.face_numbering = faces.numbering(part.face_numbering);
  thin.cell_nodes = nodes.renumbered(cells.rows(part.cell_nodes, corners));
  thin.cell_faces = faces.renumbered(cells.rows(part.cell_faces, corners));
  thin.cell_region = cells.rows(part.cell_region);
  thin.face_nodes = nodes.renumbered(faces.rows(part.face_nodes, d));
  thin.face_patch = faces.rows(part.face_patch);
  thin.node_cell_count = nodes.rows(part.node_cell_count);
  if (part.pairs.empty()) {
    thin.points = nodes.rows(part.points);
  } else {
    take_copies(part, cells, faces, nodes, thin);
  }
  if (d == 2) {
    thin.edge_numbering = thin.node_numbering;
    thin.node_wall = nodes.rows(part.node_wall);
  } else {
    const Kept edges = members(faces, part.face_edges, 3, part.edges());
    thin.edge_numbering = edges.numbering(part.edge_numbering);
    thin.edge_nodes = nodes.renumbered(edges.rows(part.edge_nodes, 2));
    thin.face_edges = edges.renumbered(faces.rows(part.face_edges, 3));
  }
  return thin;
}

}  // namespace solenoid
