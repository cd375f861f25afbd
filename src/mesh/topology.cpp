#include "mesh/topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "mesh/csr.hpp"
#include "mesh/domain.hpp"
#include "mesh/entity_numbers.hpp"
#include "mesh/ordering.hpp"
#include "mesh/periodic.hpp"

namespace solenoid {

namespace {

constexpr int no_entity = -1;
constexpr int no_node = std::numeric_limits<int>::max();  // fills unused places, sorted last
/// Signed volume [m^2 of unit depth, m^3] of the simplex with these corners.
real signed_volume(const std::vector<Vec3>& points, std::span<const int> v, int dimension) {
  const Vec3 a = points[v[1]] - points[v[0]], b = points[v[2]] - points[v[0]];
  if (dimension == 2) return cross(a, b).z / 2;
  return dot(cross(a, b), points[v[3]] - points[v[0]]) / 6;
}

/// Names of cells and faces in messages: the file's numbers, the group and the position.
struct Names {
  const MeshSource& source;
  std::vector<int> cells;  ///< of the source, in the order of the mesh

  std::string cell(int c) const {
    const int region = source.cell_region[cells[c]];
    return message("{}{}", source.cell_ids[cells[c]], region < 0 ? "" : " of \"" + source.regions[region] + "\"");
  }
  /// `nodes`: of the face, in the mesh's numbering; entries beyond `dimension` are ignored.
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

/// Numbers cells along the Hilbert curve, positively oriented; nodes in the order in which cells meet them.
/// Returns the new number of each of the source's points; stores the order of the cells in `names`.
std::vector<int> number_cells_and_nodes(const MeshSource& source, GlobalMesh& mesh, Names& names) {
  const int corners = source.dimension + 1, count = source.cell_count();
  std::vector<Vec3> centres(count);
  for (int c = 0; c < count; ++c) {
    for (const int point : source.points_of_cell(c)) centres[c] += source.points[point];
    centres[c] *= real{1} / corners;
  }
  names.cells = hilbert_order(centres, source.dimension);

  std::vector<int> number(source.points.size(), no_entity);
  mesh.points.reserve(source.points.size());
  mesh.point_ids.reserve(source.points.size());
  mesh.cell_nodes.resize(source.cells.size());
  mesh.cell_region.resize(count);
  mesh.cell_ids.resize(count);
  for (int place = 0; place < count; ++place) {
    const int c = names.cells[place];
    mesh.cell_region[place] = source.cell_region[c];
    mesh.cell_ids[place] = source.cell_ids[c];
    const std::span<int> v = std::span(mesh.cell_nodes).subspan(static_cast<std::size_t>(place) * corners, corners);
    const std::span<const int> points = source.points_of_cell(c);
    for (int k = 0; k < corners; ++k) {
      int& node = number[points[k]];
      if (node == no_entity) {
        node = static_cast<int>(mesh.points.size());
        mesh.points.push_back(source.points[points[k]]);
        mesh.point_ids.push_back(source.point_ids[points[k]]);
      }
      v[k] = node;
    }

    real longest = 0;  // squared
    for (int k = 1; k < corners; ++k) {
      const Vec3 side = mesh.points[v[k]] - mesh.points[v[0]];
      longest = std::max(longest, dot(side, side));
    }
    longest = std::sqrt(longest);
    const real volume = signed_volume(mesh.points, v, source.dimension);
    const real of_cube = longest * longest * (source.dimension == 3 ? longest : 1);
    require_input(std::abs(volume) > 1e-12 * of_cube, [&] {
      return message("{}: cell {} near {} is flat (volume {:.2e}, longest side {:.2e} m): remesh, or remove it",
                     source.name, names.cell(place), text_of_place(centres[c]), volume, longest);
    });
    if (volume < 0) std::swap(v[corners - 2], v[corners - 1]);
    if (source.dimension == 3) mesh.cell_swapped.push_back(volume < 0);
  }
  require_input(mesh.points.size() == source.points.size(), [&] {
    return message("{}: {} nodes belong to no cell", source.name, source.points.size() - mesh.points.size());
  });
  return number;
}

/// Corners of a cell of dimension d, sorted by node number.
template <int d>
std::array<int, d + 1> sorted_corners(std::span<const int> nodes) {
  std::array<int, d + 1> place;
  std::iota(place.begin(), place.end(), 0);
  const auto put_in_order = [&](int& a, int& b) {
    if (nodes[b] < nodes[a]) std::swap(a, b);
  };
  if constexpr (d == 2) {
    put_in_order(place[0], place[1]), put_in_order(place[1], place[2]), put_in_order(place[0], place[1]);
  } else {
    put_in_order(place[0], place[1]), put_in_order(place[2], place[3]);
    put_in_order(place[0], place[2]), put_in_order(place[1], place[3]), put_in_order(place[1], place[2]);
  }
  return place;
}

/// The corners of the side opposite `corner`.
template <int d>
std::array<int, d> corners_of_side(const std::array<int, d + 1>& sorted, int corner) {
  std::array<int, d> side;
  for (int k = 0, n = 0; n < d; ++k) {
    if (sorted[k] != corner) side[n++] = sorted[k];
  }
  return side;
}

/// Cells with this face, ascending.
std::vector<int> cells_with_face(const GlobalMesh& mesh, int face) {
  std::vector<int> cells;
  for (std::size_t slot = 0; slot < mesh.cell_faces.size(); ++slot) {
    if (mesh.cell_faces[slot] == face) cells.push_back(static_cast<int>(slot) / mesh.corners());
  }
  return cells;
}

void require_two_cells(const MeshSource& source, const Names& names, const GlobalMesh& mesh,
                       const std::vector<char>& cells_met) {
  const auto crowded = std::find_if(cells_met.begin(), cells_met.end(), [](char cells) { return cells > 2; });
  require_input(crowded == cells_met.end(), [&] {
    const auto face = static_cast<int>(crowded - cells_met.begin());
    const std::vector<int> cells = cells_with_face(mesh, face);
    std::string list;
    for (const int c : cells) list += (list.empty() ? "" : ", ") + names.cell(c);
    return message("{}: {} cells share the face {}, expected 2 at most: {}. Remove duplicated or overlapping cells",
                   source.name, cells.size(), names.face(mesh, mesh.face_nodes_of(face)), list);
  });
}

/// Numbers faces in the order in which cells first meet them.
template <int d>
void connect_faces(const MeshSource& source, const Names& names, GlobalMesh& mesh) {
  const int cells = mesh.cells();
  const std::size_t expected = (mesh.cell_nodes.size() + source.boundary_patch.size()) / 2;  // for a valid mesh
  EntityNumbers<d> faces(mesh.nodes(), mesh.face_nodes);
  faces.reserve(expected);
  std::vector<char> cells_met;       // per face; 3: more than 2
  std::vector<signed char> outward;  // per face, in its first cell
  int same_side = no_entity;         // a face with both cells on one side
  cells_met.reserve(expected), outward.reserve(expected);
  mesh.face_first_cell.reserve(expected), mesh.face_cells.reserve(2 * expected);
  mesh.cell_faces.resize(mesh.cell_nodes.size());
  for (int c = 0; c < cells; ++c) {
    const std::span<const int> nodes = mesh.cell_nodes_of(c);
    const std::array<int, d + 1> sorted = sorted_corners<d>(nodes);
    for (int k = 0; k <= d; ++k) {
      std::array<int, d> side = corners_of_side<d>(sorted, k);
      for (int& corner : side) corner = nodes[corner];
      const int face = faces.number_of(side);
      mesh.cell_faces[static_cast<std::size_t>(c) * (d + 1) + k] = face;
      const auto sign = static_cast<signed char>(mesh.face_sign(c, k, [](int a, int b) { return a < b; }));
      if (face == static_cast<int>(cells_met.size())) {
        cells_met.push_back(1), outward.push_back(sign);
        mesh.face_first_cell.push_back(c);
        mesh.face_cells.insert(mesh.face_cells.end(), {c, no_entity});
      } else if (cells_met[face] == 1) {
        cells_met[face] = 2;
        mesh.face_cells[2 * static_cast<std::size_t>(face) + 1] = c;
        if (outward[face] == sign && same_side == no_entity) same_side = face;
      } else {
        cells_met[face] = 3;
      }
    }
  }
  require_two_cells(source, names, mesh, cells_met);
  require_input(same_side == no_entity, [&] {
    const std::span<const int> beside = mesh.face_cells_of(same_side);
    return message(
        "{}: the cells {} and {} lie on the same side of the face {} between them: one is inverted (a node lies "
        "beyond its neighbours), or they overlap; remesh, or remove one",
        source.name, names.cell(beside[0]), names.cell(beside[1]), names.face(mesh, mesh.face_nodes_of(same_side)));
  });
}

/// Numbers the edges of tetrahedra in the order in which cells first meet them, and sets those of the faces.
void connect_edges(GlobalMesh& mesh) {
  EntityNumbers<2> edges(mesh.nodes(), mesh.edge_nodes);
  const int expected = mesh.nodes() + mesh.faces() - mesh.cells();  // Euler, without parts, holes and cavities
  edges.reserve(static_cast<std::size_t>(expected));
  mesh.edge_first_cell.reserve(static_cast<std::size_t>(expected));
  mesh.face_edges.resize(mesh.face_nodes.size());
  for (int c = 0; c < mesh.cells(); ++c) {
    const std::span<const int> nodes = mesh.cell_nodes_of(c), faces = mesh.cell_faces_of(c);
    int between[4][4];  // the edge between two corners
    for (auto& row : between) std::fill(row, row + 4, no_entity);
    const std::array<int, 4> sorted = sorted_corners<3>(nodes);
    for (int k = 0; k < 4; ++k) {  // edges of faces known from another cell
      if (mesh.face_first_cell[faces[k]] == c) continue;
      const auto [i, j, l] = corners_of_side<3>(sorted, k);
      const std::span<const int> known = mesh.face_edges_of(faces[k]);
      between[i][j] = between[j][i] = known[0];
      between[j][l] = between[l][j] = known[1];
      between[i][l] = between[l][i] = known[2];
    }
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b) {
        if (between[a][b] != no_entity) continue;
        const int edge = edges.number_of({std::min(nodes[a], nodes[b]), std::max(nodes[a], nodes[b])});
        between[a][b] = between[b][a] = edge;
        if (edge == static_cast<int>(mesh.edge_first_cell.size())) mesh.edge_first_cell.push_back(c);
      }
    }
    for (int k = 0; k < 4; ++k) {
      if (mesh.face_first_cell[faces[k]] != c) continue;
      const auto [i, j, l] = corners_of_side<3>(sorted, k);
      int* const of_face = &mesh.face_edges[3 * static_cast<std::size_t>(faces[k])];
      of_face[0] = between[i][j], of_face[1] = between[j][l], of_face[2] = between[i][l];
    }
  }
}

/// A boundary face of the source, by the mesh's numbers of its nodes, ascending.
struct GivenFace {
  std::array<int, 3> nodes{no_node, no_node, no_node};
  int entry;  ///< index in the source
};

void name_boundary(const MeshSource& source, const Names& names, const std::vector<int>& number, GlobalMesh& mesh) {
  const int d = mesh.dimension;
  const Csr<GivenFace> by_lowest_node(mesh.nodes(), [&](const auto& visit) {
    for (int k = 0; k < source.boundary_face_count(); ++k) {
      GivenFace face;
      face.entry = k;
      for (int j = 0; j < d; ++j) face.nodes[j] = number[source.points_of_boundary_face(k)[j]];
      std::sort(face.nodes.begin(), face.nodes.end());
      visit(face.nodes[0], face);
    }
  });
  const std::vector<GivenFace>& given = by_lowest_node.entries();

  mesh.face_patch.assign(mesh.faces(), no_entity);
  std::vector<char> matched(given.size(), 0);
  int uncovered = 0, example = no_entity;
  for (int f = 0; f < mesh.faces(); ++f) {
    const std::span<const int> nodes = mesh.face_nodes_of(f);
    const std::span<const int> beside = mesh.face_cells_of(f);
    const bool inside = beside[1] != no_entity;
    for (const GivenFace& face : by_lowest_node[nodes[0]]) {
      if (!std::equal(nodes.begin(), nodes.end(), face.nodes.begin())) continue;
      const std::string& patch = source.patches[source.boundary_patch[face.entry]];
      require_input(!inside, [&] {
        return message(
            "{}: boundary group \"{}\" has a face inside the domain, {} between the cells {} and {}: boundary groups "
            "lie "
            "on the boundary only; take it out of the group, or cut the mesh open there",
            source.name, patch, names.face(mesh, nodes), names.cell(beside[0]), names.cell(beside[1]));
      });
      const int before = mesh.face_patch[f];
      require_input(before == no_entity || source.patches[before] == patch, [&] {
        return message("{}: the boundary face {} is in the groups \"{}\" and \"{}\": put it into one of them",
                       source.name, names.face(mesh, nodes), source.patches[before], patch);
      });
      matched[&face - given.data()] = 1;
      if (before == no_entity) mesh.face_patch[f] = source.boundary_patch[face.entry];
    }
    if (!inside && mesh.face_patch[f] == no_entity) ++uncovered, example = f;
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
    const GivenFace& face = given[stray - matched.begin()];
    return message("{}: boundary group \"{}\" has the face {}, which is of no cell: take it out of the group",
                   source.name, source.patches[source.boundary_patch[face.entry]], names.face(mesh, face.nodes));
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
  if (mesh.dimension == 2) {
    connect_faces<2>(source, names, mesh);
  } else {
    connect_faces<3>(source, names, mesh);
  }
  name_boundary(source, names, number, mesh);
  if (!source.pairs.empty()) join_pairs(source.name, source.pairs, mesh);
  mesh.node_first_cell = first_cells_of_nodes(mesh);
  if (mesh.dimension == 3) {
    connect_edges(mesh);
  } else {
    mesh.edge_first_cell = mesh.node_first_cell;
    require_simple_boundary(source.name, mesh);
    find_boundary_loops(mesh);
  }
  return mesh;
}

}  // namespace solenoid
