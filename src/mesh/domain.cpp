#include "mesh/domain.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mesh/disjoint_sets.hpp"

namespace solenoid {

Domain examine_domain(const GlobalMesh& mesh) {
  Domain domain;
  DisjointSets cells(mesh.cells()), nodes(mesh.nodes());
  std::vector<char> on_boundary(mesh.nodes(), 0);
  const int d = mesh.dimension;
  for (int f = 0; f < mesh.faces(); ++f) {
    const int first = mesh.face_cells_of(f)[0], second = mesh.face_cells_of(f)[1];
    if (second >= 0) {
      cells.join(first, second);
      continue;
    }
    for (const int n : mesh.face_nodes_of(f)) {
      on_boundary[n] = 1;
      nodes.join(mesh.face_nodes_of(f)[0], n);
    }
  }
  std::vector<char> is_bounded(mesh.cells(), 0);  // the part with this first cell
  std::vector<int> first_cells;
  std::vector<std::int64_t> count(mesh.cells(), 0);  // of the part with this first cell
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_cells_of(f)[1] < 0) is_bounded[cells.lowest(mesh.face_cells_of(f)[0])] = 1;
  }
  for (int c = 0; c < mesh.cells(); ++c) {
    if (cells.lowest(c) == c) first_cells.push_back(c);
    ++count[cells.lowest(c)];
  }
  std::stable_sort(first_cells.begin(), first_cells.end(), [&](int a, int b) { return count[a] > count[b]; });
  std::vector<int> part_of_first(mesh.cells(), -1);
  for (int first : first_cells) {
    part_of_first[first] = static_cast<int>(domain.parts.size());
    Vec3 centroid;
    for (const int n : mesh.cell_points_of(first)) centroid += mesh.points[n] / static_cast<real>(d + 1);
    domain.parts.push_back({count[first], centroid});
  }
  for (int c = 0; c < mesh.cells(); ++c) domain.part_of_cell.push_back(part_of_first[cells.lowest(c)]);
  for (int n = 0; n < mesh.nodes(); ++n) domain.boundary_pieces += on_boundary[n] && nodes.lowest(n) == n;

  const int parts = static_cast<int>(domain.parts.size());
  if (d == 2) {
    const auto closed = std::count_if(first_cells.begin(), first_cells.end(), [&](int c) { return !is_bounded[c]; });
    domain.holes = parts + static_cast<int>(closed) - (mesh.nodes() - mesh.faces() + mesh.cells());
  } else {
    const int euler = mesh.nodes() - mesh.edges() + mesh.faces() - mesh.cells();
    domain.cavities = domain.boundary_pieces - parts;
    domain.holes = parts + domain.cavities - euler;
  }
  return domain;
}

namespace {

constexpr int no_piece = -1;

/// Periodic meshes: the first piece of the boundary of each part acts as the outer boundary; a part without a boundary
/// gets a piece of one node.
void choose_outer_pieces(GlobalMesh& mesh) {
  DisjointSets parts(mesh.nodes());
  for (int c = 0; c < mesh.cells(); ++c) {
    for (const int n : mesh.cell_nodes_of(c)) parts.join(mesh.cell_nodes_of(c)[0], n);
  }
  std::vector<char> has_outer(mesh.nodes(), 0);
  mesh.boundary_loop_is_hole.assign(mesh.boundary_loop_is_hole.size(), 1);
  for (int n = 0; n < mesh.nodes(); ++n) {
    char& has = has_outer[parts.lowest(n)];
    if (mesh.node_boundary_loop[n] == no_piece || has) continue;
    mesh.boundary_loop_is_hole[mesh.node_boundary_loop[n]] = 0;
    has = 1;
  }
  for (int n = 0; n < mesh.nodes(); ++n) {
    if (parts.lowest(n) != n || has_outer[n]) continue;
    mesh.node_boundary_loop[n] = static_cast<int>(mesh.boundary_loop_is_hole.size());
    mesh.boundary_loop_is_hole.push_back(0);
  }
}

}  // namespace

void require_simple_boundary(const std::string& file, const GlobalMesh& mesh) {
  std::vector<int> faces_at(mesh.nodes(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] == no_piece) continue;
    for (const int n : mesh.face_nodes_of(f)) ++faces_at[n];
  }
  const auto pinched = std::find_if(faces_at.begin(), faces_at.end(), [](int count) { return count > 2; });
  require_input(pinched == faces_at.end(), [&] {
    const auto n = pinched - faces_at.begin();
    return message(
        "{}: the mesh touches itself at the node {} at ({:.6g}, {:.6g}, {:.6g}): {} boundary faces meet there, "
        "expected 2. Join the sides by "
        "cells, or give each a node of its own",
        file, mesh.point_ids[n], mesh.points[n].x, mesh.points[n].y, mesh.points[n].z, *pinched);
  });
}

/// A piece encloses a hole if its enclosed area, with the fluid on the left, is negative.
void find_boundary_loops(GlobalMesh& mesh) {
  DisjointSets pieces(mesh.nodes());
  std::vector<int> boundary_faces;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] == no_piece) continue;
    boundary_faces.push_back(f);
    pieces.join(mesh.face_nodes_of(f)[0], mesh.face_nodes_of(f)[1]);
  }
  mesh.node_boundary_loop.assign(mesh.nodes(), no_piece);
  std::vector<real> area;
  for (int f : boundary_faces) {
    const int a = mesh.face_nodes_of(f)[0], b = mesh.face_nodes_of(f)[1], start = pieces.lowest(a);
    if (mesh.node_boundary_loop[start] == no_piece) {
      mesh.node_boundary_loop[start] = static_cast<int>(area.size());
      area.push_back(0);
    }
    const int wall = mesh.node_boundary_loop[a] = mesh.node_boundary_loop[b] = mesh.node_boundary_loop[start];
    const int cell = mesh.face_first_cell[f];
    int corner = 0;
    while (mesh.cell_faces_of(cell)[corner] != f) ++corner;
    const int sign = mesh.face_sign(cell, corner, [](int i, int j) { return i < j; });
    area[wall] += sign * cross(mesh.points[a], mesh.points[b]).z / 2;
  }
  mesh.boundary_loop_is_hole.resize(area.size());
  std::transform(area.begin(), area.end(), mesh.boundary_loop_is_hole.begin(), [](real a) { return a < 0; });
  if (!mesh.pairs.empty()) choose_outer_pieces(mesh);
}

}  // namespace solenoid
