#include "mesh/without_regions.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mesh/boundary_loops.hpp"
#include "mesh/submesh.hpp"

namespace solenoid {

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
std::vector<int> first_rows(const std::vector<int>& table, int width, int count) {
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
  rest.node_first_cell = first_rows(rest.cell_nodes, rest.corners(), rest.nodes());
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
