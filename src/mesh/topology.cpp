#include "mesh/topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "base/error.hpp"
#include "base/place.hpp"
#include "mesh/csr.hpp"
#include "mesh/ordering.hpp"
#include "mesh/periodic.hpp"
#include "mesh/walls.hpp"

namespace solenoid {

namespace {

constexpr int no_entity = -1;
constexpr int no_node = std::numeric_limits<int>::max();  // fills a side's unused places, sorted last

/// A side of a cell, or an edge of one, under the ascending ids of its nodes.
struct Side {
  std::array<int, 3> nodes{no_node, no_node, no_node};
  int cell, place;
  std::uint64_t upper_nodes() const { return std::uint64_t(std::uint32_t(nodes[1])) << 32 | std::uint32_t(nodes[2]); }
  bool same_entity(const Side& other) const {
    return nodes[0] == other.nodes[0] && upper_nodes() == other.upper_nodes();
  }
};

/// Sides by their lowest node, ascending in their other nodes, then in cell and place: all of them are sorted then.
/// `for_each(visit)` shows every side to visit(side), twice. Those with the same lowest node first come together, of
/// which there are few.
template <class ForEach>
Csr<Side> sorted_sides(int nodes, const ForEach& for_each) {
  Csr<Side> sides(nodes, [&](const auto& visit) { for_each([&](const Side& side) { visit(side.nodes[0], side); }); });
  for (int n = 0; n < nodes; ++n) {
    const std::span<Side> row = sides[n];
    std::sort(row.begin(), row.end(), [](const Side& a, const Side& b) {
      const std::uint64_t of_a = a.upper_nodes(), of_b = b.upper_nodes();
      return of_a != of_b ? of_a < of_b : (a.cell != b.cell ? a.cell < b.cell : a.place < b.place);
    });
  }
  return sides;
}

/// Signed volume [m^2 of unit depth, m^3] of the simplex with these corners.
real signed_volume(const std::vector<Vec3>& points, std::span<const int> v, int dimension) {
  const Vec3 a = points[v[1]] - points[v[0]], b = points[v[2]] - points[v[0]];
  if (dimension == 2) return cross(a, b).z / 2;
  return dot(cross(a, b), points[v[3]] - points[v[0]]) / 6;
}

/// How messages call cells and faces: by the file's numbers, the group and the place.
struct Names {
  const MeshSource& source;
  std::vector<int> cells;  ///< of the source, in the order of the mesh

  std::string cell(int c) const {
    const int region = source.cell_region[cells[c]];
    return message("{}{}", source.cell_ids[cells[c]], region < 0 ? "" : " of \"" + source.regions[region] + "\"");
  }
  /// `nodes`: of the face, in the mesh's numbering; what follows them does not count.
  std::string face(const GlobalMesh& mesh, std::span<const int> nodes) const {
    Vec3 centre;
    std::string text;
    for (const int n : nodes.first(static_cast<std::size_t>(mesh.dimension))) {
      text += (text.empty() ? "" : "-") + std::to_string(mesh.point_ids[n]);
      centre += mesh.points[n] / static_cast<real>(mesh.dimension);
    }
    return message("{} at {}", text, text_of_place(centre));
  }
};

/// Cells along the Hilbert curve, positively oriented; nodes in the order in which they meet them.
/// Returns the new number of each of the source's points; `names` learns the order of the cells.
std::vector<int> number_cells_and_nodes(const MeshSource& source, GlobalMesh& mesh, Names& names) {
  const int corners = source.dimension + 1, count = source.cell_count();
  std::vector<Vec3> centres(count);
  for (int c = 0; c < count; ++c) {
    for (const int point : source.points_of_cell(c)) centres[c] += source.points[point];
    centres[c] *= real{1} / corners;
  }
  names.cells = hilbert_order(centres, source.dimension);

  std::vector<int> number(source.points.size(), no_entity);
  mesh.cell_nodes.reserve(source.cells.size());
  mesh.cell_region.reserve(count);
  for (int c : names.cells) {
    for (const int point : source.points_of_cell(c)) {
      if (number[point] == no_entity) {
        number[point] = mesh.nodes();
        mesh.points.push_back(source.points[point]);
        mesh.point_ids.push_back(source.point_ids[point]);
      }
      mesh.cell_nodes.push_back(number[point]);
    }
    mesh.cell_region.push_back(source.cell_region[c]);
    mesh.cell_ids.push_back(source.cell_ids[c]);

    const std::span<int> v = std::span(mesh.cell_nodes).last(static_cast<std::size_t>(corners));
    real longest = 0;
    for (int k = 1; k < corners; ++k) longest = std::max(longest, norm(mesh.points[v[k]] - mesh.points[v[0]]));
    const real volume = signed_volume(mesh.points, v, source.dimension);
    const real of_cube = longest * longest * (source.dimension == 3 ? longest : 1);
    require_input(std::abs(volume) > 1e-12 * of_cube, [&] {
      return message("{}: cell {} near {} is flat (volume {:.2e}, longest side {:.2e} m): remesh, or remove it",
                     source.name, names.cell(mesh.cells() - 1), text_of_place(centres[c]), volume, longest);
    });
    if (volume < 0) std::swap(v[corners - 2], v[corners - 1]);
  }
  require_input(mesh.points.size() == source.points.size(), [&] {
    return message("{}: {} nodes belong to no cell", source.name, source.points.size() - mesh.points.size());
  });
  return number;
}

/// Numbers the distinct sides in the order in which cells first meet them. `sides` is sorted; on return
/// entity_of[cell * places + place] is the number, and the result the lowest cell of each entity.
std::vector<int> number_sides(const std::vector<Side>& sides, int places, std::vector<int>& entity_of) {
  const std::size_t slots = entity_of.size();
  std::vector<int> first_slot(slots, no_entity);  // slot -> the slot where its entity was met first
  for (std::size_t k = 0; k < sides.size();) {
    const int first = sides[k].cell * places + sides[k].place;
    std::size_t end = k;
    for (; end < sides.size() && sides[end].same_entity(sides[k]); ++end) {
      first_slot[sides[end].cell * places + sides[end].place] = first;
    }
    k = end;
  }
  std::vector<int> first_cell;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (first_slot[slot] == static_cast<int>(slot)) {
      entity_of[slot] = static_cast<int>(first_cell.size());
      first_cell.push_back(static_cast<int>(slot) / places);
    } else {
      entity_of[slot] = entity_of[first_slot[slot]];
    }
  }
  return first_cell;
}

struct Corner {
  int node, place;
};

/// Corners of a cell, ascending in their nodes; what a triangle lacks comes last.
std::array<Corner, 4> sorted_corners(const GlobalMesh& mesh, int cell) {
  std::array<Corner, 4> corners{};
  corners[3] = {no_node, 3};
  const std::span<const int> nodes = mesh.cell_nodes_of(cell);
  for (int k = 0; k < mesh.corners(); ++k) corners[k] = {nodes[k], k};
  constexpr int network[5][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
  for (const auto [a, b] : network) {
    if (corners[b].node < corners[a].node) std::swap(corners[a], corners[b]);
  }
  return corners;
}

void connect_faces(const MeshSource& source, const Names& names, GlobalMesh& mesh) {
  const int d = mesh.dimension, corners = mesh.corners(), cells = mesh.cells();
  const Csr<Side> sorted = sorted_sides(mesh.nodes(), [&](const auto& visit) {
    for (int c = 0; c < cells; ++c) {
      const std::array<Corner, 4> ascending = sorted_corners(mesh, c);
      for (int k = 0; k < corners; ++k) {
        Side side;
        side.cell = c, side.place = ascending[k].place;
        for (int j = 0, n = 0; j < corners; ++j) {
          if (j != k) side.nodes[n++] = ascending[j].node;
        }
        visit(side);
      }
    }
  });
  const std::vector<Side>& sides = sorted.entries();
  mesh.cell_faces.resize(mesh.cell_nodes.size());
  mesh.face_first_cell = number_sides(sides, corners, mesh.cell_faces);

  const auto is_lower = [](int a, int b) { return a < b; };
  mesh.face_nodes.resize(mesh.face_first_cell.size() * d);
  mesh.face_cells.assign(mesh.face_first_cell.size() * 2, no_entity);
  for (std::size_t k = 0; k < sides.size();) {
    std::size_t end = k + 1;
    while (end < sides.size() && sides[end].same_entity(sides[k])) ++end;
    const int face = mesh.cell_faces_of(sides[k].cell)[sides[k].place];
    const auto shared = [&] { return names.face(mesh, sides[k].nodes); };
    require_input(end - k <= 2, [&] {
      std::string list;
      for (std::size_t j = k; j < end; ++j) list += (j == k ? "" : ", ") + names.cell(sides[j].cell);
      return message("{}: {} cells share the face {}, expected 2 at most: {}. Remove duplicated or overlapping cells",
                     source.name, end - k, shared(), list);
    });
    std::copy_n(sides[k].nodes.begin(), d, &mesh.face_nodes[face * d]);
    for (std::size_t j = k; j < end; ++j) mesh.face_cells[2 * face + static_cast<int>(j - k)] = sides[j].cell;
    if (end - k == 2) {
      const int sum = mesh.face_sign(sides[k].cell, sides[k].place, is_lower) +
                      mesh.face_sign(sides[k + 1].cell, sides[k + 1].place, is_lower);
      require_input(sum == 0, [&] {
        return message(
            "{}: the cells {} and {} lie on the same side of the face {} between them: one is inverted (a node lies "
            "beyond its neighbours), or they overlap; remesh, or remove one",
            source.name, names.cell(sides[k].cell), names.cell(sides[k + 1].cell), shared());
      });
    }
    k = end;
  }
}

/// Places of a tetrahedron's edges between two corners.
constexpr int edge_between[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

void connect_edges(GlobalMesh& mesh) {
  const Csr<Side> sorted = sorted_sides(mesh.nodes(), [&](const auto& visit) {
    for (int c = 0; c < mesh.cells(); ++c) {
      const std::array<Corner, 4> ascending = sorted_corners(mesh, c);
      for (int a = 0; a < 4; ++a) {
        for (int b = a + 1; b < 4; ++b) {
          visit(Side{{ascending[a].node, ascending[b].node, no_node},
                     c,
                     edge_between[ascending[a].place][ascending[b].place]});
        }
      }
    }
  });
  const std::vector<Side>& sides = sorted.entries();
  std::vector<int> cell_edges(sides.size());
  mesh.edge_first_cell = number_sides(sides, 6, cell_edges);

  mesh.edge_nodes.resize(mesh.edge_first_cell.size() * 2);
  for (const Side& side : sides) {
    const int edge = cell_edges[side.cell * 6 + side.place];
    mesh.edge_nodes[2 * edge] = side.nodes[0];
    mesh.edge_nodes[2 * edge + 1] = side.nodes[1];
  }
  mesh.face_edges.resize(mesh.face_nodes.size());
  for (int f = 0; f < mesh.faces(); ++f) {
    const std::span<const int> n = mesh.face_nodes_of(f);
    const std::span<const int> edges = row_of(cell_edges, mesh.face_first_cell[f], 6);
    const std::array<std::array<int, 2>, 3> pairs{{{n[0], n[1]}, {n[1], n[2]}, {n[0], n[2]}}};
    for (int k = 0; k < 3; ++k) {
      for (const int edge : edges) {
        const std::span<const int> ends = mesh.edge_nodes_of(edge);
        if (std::equal(ends.begin(), ends.end(), pairs[k].begin())) mesh.face_edges[3 * f + k] = edge;
      }
    }
  }
}

void name_boundary(const MeshSource& source, const Names& names, const std::vector<int>& number, GlobalMesh& mesh) {
  const int d = mesh.dimension;
  const Csr<Side> sorted = sorted_sides(mesh.nodes(), [&](const auto& visit) {
    for (int k = 0; k < source.boundary_face_count(); ++k) {
      Side side;
      side.cell = k, side.place = 0;  // "cell": the entry in the source
      for (int j = 0; j < d; ++j) side.nodes[j] = number[source.points_of_boundary_face(k)[j]];
      std::sort(side.nodes.begin(), side.nodes.end());
      visit(side);
    }
  });
  const std::vector<Side>& given = sorted.entries();

  mesh.face_patch.assign(mesh.faces(), no_entity);
  std::vector<char> matched(given.size(), 0);
  int uncovered = 0, example = no_entity;
  for (int f = 0; f < mesh.faces(); ++f) {
    Side wanted;
    std::copy_n(mesh.face_nodes_of(f).begin(), d, wanted.nodes.begin());
    const std::span<const Side> candidates = sorted[wanted.nodes[0]];
    const auto [first, last] =
        std::equal_range(candidates.begin(), candidates.end(), wanted,
                         [](const Side& a, const Side& b) { return a.upper_nodes() < b.upper_nodes(); });
    const std::span<const int> beside = mesh.face_cells_of(f);
    const bool inside = beside[1] != no_entity;
    if (first == last) {
      if (!inside) ++uncovered, example = f;
      continue;
    }
    const std::string& patch = source.patches[source.boundary_patch[first->cell]];
    require_input(!inside, [&] {
      return message(
          "{}: boundary group \"{}\" has a face inside the domain, {} between the cells {} and {}: boundary groups lie "
          "on the boundary only; take it out of the group, or cut the mesh open there",
          source.name, patch, names.face(mesh, wanted.nodes), names.cell(beside[0]), names.cell(beside[1]));
    });
    for (auto it = first; it != last; ++it) {
      const std::string& other = source.patches[source.boundary_patch[it->cell]];
      require_input(other == patch, [&] {
        return message("{}: the boundary face {} is in the groups \"{}\" and \"{}\": put it into one of them",
                       source.name, names.face(mesh, wanted.nodes), patch, other);
      });
      matched[&*it - given.data()] = 1;
    }
    mesh.face_patch[f] = source.boundary_patch[first->cell];
  }
  require_input(uncovered == 0, [&] {
    return message(
        "{}: {} boundary faces belong to no boundary group, one of them {} of the cell {}: add a Physical {} for them; "
        "where the mesh should go on there, the two sides have nodes of their own: join them (in a .geo: `Coherence;`)",
        source.name, uncovered, names.face(mesh, mesh.face_nodes_of(example)),
        names.cell(mesh.face_first_cell[example]), d == 2 ? "Curve" : "Surface");
  });
  const auto stray = std::find(matched.begin(), matched.end(), 0);
  require_input(stray == matched.end(), [&] {
    const Side& side = given[stray - matched.begin()];
    return message("{}: boundary group \"{}\" has the face {}, which is of no cell: take it out of the group",
                   source.name, source.patches[source.boundary_patch[side.cell]], names.face(mesh, side.nodes));
  });
  mesh.patches = source.patches;
  mesh.regions = source.regions;
}

std::vector<int> first_cells_of_nodes(const GlobalMesh& mesh) {
  std::vector<int> first(mesh.nodes(), no_entity);
  for (int slot = 0; slot < static_cast<int>(mesh.cell_nodes.size()); ++slot) {
    int& cell = first[mesh.cell_nodes[slot]];
    if (cell == no_entity) cell = slot / mesh.corners();
  }
  return first;
}

}  // namespace

Vec3 Connectivity::shift_to_cell(int face, int cell) const {
  if (cell_points.empty()) return {};
  const int node = face_nodes_of(face)[0];
  const std::span<const int> corner = cell_nodes_of(cell);
  const auto k = std::find(corner.begin(), corner.end(), node) - corner.begin();
  return points[cell_points_of(cell)[k]] - points[face_points_of(face)[0]];
}

Vec3 Connectivity::shift_to_node(int cell, int node) const {
  if (cell_points.empty()) return {};
  const std::span<const int> corner = cell_nodes_of(cell);
  const auto k = std::find(corner.begin(), corner.end(), node) - corner.begin();
  return points[node] - points[cell_points_of(cell)[k]];
}

Vec3 Connectivity::shift_between(int cell, int other) const {
  if (cell_points.empty()) return {};
  const std::span<const int> own = cell_nodes_of(cell), others = cell_nodes_of(other);
  const auto shared = std::find_first_of(own.begin(), own.end(), others.begin(), others.end());
  const auto there = std::find(others.begin(), others.end(), *shared);
  return points[cell_points_of(other)[there - others.begin()]] - points[cell_points_of(cell)[shared - own.begin()]];
}

GlobalMesh build_topology(const MeshSource& source) {
  constexpr int places_per_cell = 6;  // edges of a tetrahedron: the largest table of the whole mesh
  require_input(source.cell_count() <= std::numeric_limits<int>::max() / places_per_cell, [&] {
    return message("{}: {} cells; this version takes at most {}", source.name, source.cell_count(),
                   std::numeric_limits<int>::max() / places_per_cell);
  });
  GlobalMesh mesh;
  mesh.dimension = source.dimension;
  Names names{source, {}};
  const std::vector<int> number = number_cells_and_nodes(source, mesh, names);
  connect_faces(source, names, mesh);
  name_boundary(source, names, number, mesh);
  if (!source.pairs.empty()) join_pairs(source.name, source.pairs, mesh);
  mesh.node_first_cell = first_cells_of_nodes(mesh);
  if (mesh.dimension == 3) {
    connect_edges(mesh);
  } else {
    mesh.edge_first_cell = mesh.node_first_cell;
    require_simple_boundary(source.name, mesh);
    find_walls(mesh);
  }
  return mesh;
}

}  // namespace solenoid
