#include "mesh/submesh.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "mesh/domain.hpp"

namespace solenoid {

namespace {

/// The subset of entities that stay, numbered without gaps.
class Kept {
 public:
  explicit Kept(int count) : number_(count, left_out) {}

  void keep(int entity) { number_[entity] = 0; }
  bool has(int entity) const { return number_[entity] != left_out; }
  /// Numbers the entities. Call once all are kept.
  void count();
  int number(int entity) const { return number_[entity]; }  ///< of a kept entity, after count()

  /// The rows of a table for the kept entities; empty for an empty table.
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
  std::vector<int> renumbered(std::vector<int> entities) const;

 private:
  static constexpr int left_out = -1;
  std::vector<int> number_;
  int count_ = 0;
};

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

/// All entities of the kept cells.
struct KeptEntities {
  Kept cells, nodes, faces, edges;
  KeptEntities(const Connectivity& mesh, Kept cells);
};

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

KeptEntities::KeptEntities(const Connectivity& mesh, Kept its_cells)
    : cells(std::move(its_cells)),
      nodes(members(cells, mesh.cell_nodes, mesh.corners(), mesh.nodes())),
      faces(members(cells, mesh.cell_faces, mesh.corners(), mesh.faces())),
      edges(mesh.dimension == 2 ? nodes : members(faces, mesh.face_edges, 3, mesh.edges())) {}

/// Restricts the mesh to the kept cells, except that `node_boundary_loop` keeps the values of the whole mesh. Returns
/// the kept copies of points by their earlier numbers.
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
  restricted.cell_swapped = cells.rows(mesh.cell_swapped);
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

namespace {

constexpr int outside = -1;

/// Per region of the mesh: the patch that replaces it if it is left out, else -1.
std::vector<int> patches_instead(const GlobalMesh& mesh, const std::vector<std::string>& left_out,
                                 std::vector<std::string>& patches) {
  std::vector<int> instead;
  for (const std::string& region : mesh.regions) {
    if (std::find(left_out.begin(), left_out.end(), region) == left_out.end()) {
      instead.push_back(outside);
      continue;
    }
    const auto found = std::find(patches.begin(), patches.end(), region);
    instead.push_back(static_cast<int>(found - patches.begin()));
    if (found == patches.end()) patches.push_back(region);
  }
  return instead;
}

/// For each of `count` entities, the lowest row of a table, `width` wide, that contains it.
std::vector<int> row_starts(const std::vector<int>& table, int width, int count) {
  std::vector<int> first(count, outside);
  for (int slot = 0; slot < static_cast<int>(table.size()); ++slot) {
    if (first[table[slot]] == outside) first[table[slot]] = slot / width;
  }
  return first;
}

/// Moves a face on a periodic pair that lost one cell to its place on the other cell.
void restore_from_pair(GlobalMesh& mesh, int face) {
  mesh.face_pair[face] = 0;
  const int cell = mesh.face_first_cell[face];
  const std::span<const int> corner = mesh.cell_nodes_of(cell), points = mesh.cell_points_of(cell);
  for (int k = 0; k < mesh.dimension; ++k) {
    const int slot = face * mesh.dimension + k;
    mesh.face_points[slot] = points[std::find(corner.begin(), corner.end(), mesh.face_nodes[slot]) - corner.begin()];
  }
}

/// The lowest cell around each edge, from the cells around its faces.
std::vector<int> first_cells_of_edges(const GlobalMesh& mesh) {
  std::vector<int> first(mesh.edges(), mesh.cells());
  for (int f = 0; f < mesh.faces(); ++f) {
    for (const int e : mesh.face_edges_of(f)) first[e] = std::min(first[e], mesh.face_first_cell[f]);
  }
  return first;
}

}  // namespace

std::vector<char> cells_in(const Connectivity& mesh, const std::vector<std::string>& regions) {
  std::vector<char> of_region, is_in;
  for (const std::string& region : mesh.regions) {
    of_region.push_back(std::find(regions.begin(), regions.end(), region) != regions.end());
  }
  is_in.reserve(mesh.cell_region.size());
  for (const int region : mesh.cell_region) is_in.push_back(region >= 0 && of_region[region]);
  return is_in;
}

RemainingMesh without_regions(const std::string& file, const GlobalMesh& mesh,
                              const std::vector<std::string>& regions) {
  RemainingMesh remaining;
  std::vector<std::string> patches = mesh.patches;
  const std::vector<int> instead = patches_instead(mesh, regions, patches);
  const auto patch_of_cell = [&](int c) { return mesh.cell_region[c] < 0 ? outside : instead[mesh.cell_region[c]]; };
  Kept cells(mesh.cells());
  for (int c = 0; c < mesh.cells(); ++c) {
    if (patch_of_cell(c) != outside) continue;
    cells.keep(c);
    remaining.cells.push_back(c);
  }
  require_input(!remaining.cells.empty(),
                [&] { return message("{}: every cell of the mesh is solid: nothing can flow", file); });
  cells.count();
  const KeptEntities kept(mesh, std::move(cells));
  GlobalMesh& rest = remaining.mesh;
  const std::vector<int> copies = restrict_mesh(mesh, kept, rest);
  rest.patches = patches;
  rest.cell_ids = kept.cells.rows(mesh.cell_ids);
  rest.point_ids = kept.nodes.rows(mesh.point_ids);
  for (const int copy : copies) rest.point_ids.push_back(mesh.point_ids[mesh.nodes() + copy]);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (!kept.faces.has(f)) continue;
    int beside[2] = {outside, outside}, *next = beside, &patch = rest.face_patch[kept.faces.number(f)];
    for (const int c : mesh.face_cells_of(f)) {
      if (c == outside) continue;
      if (kept.cells.has(c)) {
        *next++ = kept.cells.number(c);
      } else {
        patch = patch_of_cell(c);
      }
    }
    rest.face_cells.insert(rest.face_cells.end(), beside, beside + 2);
    rest.face_first_cell.push_back(beside[0]);
    const int face = kept.faces.number(f);
    if (patch != outside && !rest.face_pair.empty() && rest.face_pair[face] != 0) restore_from_pair(rest, face);
  }
  rest.node_first_cell = row_starts(rest.cell_nodes, rest.corners(), rest.nodes());
  if (rest.dimension == 3) {
    rest.edge_first_cell = first_cells_of_edges(rest);
  } else {
    rest.edge_first_cell = rest.node_first_cell;
    require_simple_boundary(file, rest);
    find_boundary_loops(rest);
  }
  return remaining;
}

}  // namespace solenoid
