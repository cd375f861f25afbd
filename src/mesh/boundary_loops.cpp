#include "mesh/boundary_loops.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mesh/disjoint_sets.hpp"

namespace solenoid {

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
