/// Faces and edges of simplices: connectivity, orientation, and in 2D the boundary component of each boundary node.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Row i of a table with `width` values per entity.
inline std::span<const int> row_of(const std::vector<int>& table, int i, int width) {
  const auto values = static_cast<std::size_t>(width);
  return std::span(table).subspan(static_cast<std::size_t>(i) * values, values);
}

/// Two patches a translation apart; the domain continues across each at the other.
struct PeriodicPair {
  std::string first, second;  ///< names of the patches
  Vec3 translation;           ///< from the first to the second [m]
};

/// Entities and their neighbours, for a whole mesh or a rank's part of one. In a periodic domain, the nodes and faces
/// of the two patches of a pair coincide: a node has one number and several positions, its *points*. Its own point is
/// on the first patch; the others are copies. Cells and faces lie where their points do.
///
/// Orientation follows from ascending global node ids: an edge points from its first node to its second; a face a < b
/// (2D) has its normal to the right of a -> b, a face a < b < c (3D) has it along (b - a) x (c - a). In 2D the edges
/// are the nodes.
struct Connectivity {
  int dimension = 2;
  std::vector<Vec3> points;             ///< each node's own, then the copies [m]
  std::vector<int> cell_nodes;          ///< dimension + 1 per cell, positively oriented
  std::vector<int> cell_faces;          ///< dimension + 1 per cell: face k lies opposite node k
  std::vector<int> cell_region;         ///< per cell, -1: none
  std::vector<int> cell_swapped;        ///< 3D until the mesh is refined: 1 if the last two corners of the cell stand
                                        ///< in the other order in the source, else 0; 2D: empty
  std::vector<int> face_nodes;          ///< dimension per face, ascending global ids
  std::vector<int> face_edges;          ///< 3D: edges (a,b), (b,c), (a,c) per face; 2D: empty
  std::vector<int> face_patch;          ///< per face, -1: inside the domain
  std::vector<int> edge_nodes;          ///< 3D: 2 per edge, ascending global ids; 2D: empty
  std::vector<int> node_boundary_loop;  ///< 2D: the connected piece of the boundary that contains the node, -1: none;
                                        ///< 3D: empty. A part without a boundary has a piece of one node
  std::vector<char> boundary_loop_is_hole;  ///< 2D, per piece of the boundary: it bounds a hole in the domain; in a
                                            ///< periodic mesh true for every piece but the first of a part
  std::vector<std::string> patches, regions;

  std::vector<PeriodicPair> pairs;
  std::vector<int> copy_node;   ///< per copy: its node
  std::vector<int> copy_turns;  ///< pairs.size() per copy: periods across each pair from its node's own point
  std::vector<int> cell_points, face_points;  ///< as cell_nodes and face_nodes; empty without copies
  std::vector<int> face_pair;  ///< per face: k + 1 on pair k if the normal points out through its second patch, -(k +
                               ///< 1) if out through its first; 0 elsewhere; empty without pairs

  std::span<const int> cell_nodes_of(int cell) const { return row_of(cell_nodes, cell, corners()); }
  std::span<const int> cell_faces_of(int cell) const { return row_of(cell_faces, cell, corners()); }
  std::span<const int> face_nodes_of(int face) const { return row_of(face_nodes, face, dimension); }
  std::span<const int> face_edges_of(int face) const { return row_of(face_edges, face, 3); }  ///< 3D
  std::span<const int> edge_nodes_of(int edge) const { return row_of(edge_nodes, edge, 2); }  ///< 3D

  /// Points of the corners, in the order of the nodes: of a cell at its own place, of a face on the first patch of a
  /// pair.
  std::span<const int> cell_points_of(int cell) const {
    return row_of(cell_points.empty() ? cell_nodes : cell_points, cell, corners());
  }
  std::span<const int> face_points_of(int face) const {
    return row_of(face_points.empty() ? face_nodes : face_points, face, dimension);
  }
  /// Translation from a face's own place to its place on the cell; like the next ones 0 except across a periodic pair
  /// [m].
  Vec3 shift_to_cell(int face, int cell) const;
  /// Translation from a cell's own place to the one where the node's own point is its corner [m].
  Vec3 shift_to_node(int cell, int node) const;
  /// Translation from a cell's own place to the one next to `other`, a cell that shares a node with it [m].
  Vec3 shift_between(int cell, int other) const;
  /// Number of periods across pair `pair` from the own point of the point's node.
  int turns(int point, int pair) const {
    return point < nodes() ? 0 : copy_turns[(point - nodes()) * static_cast<int>(pairs.size()) + pair];
  }

  int corners() const { return dimension + 1; }
  int nodes() const { return static_cast<int>(points.size() - copy_node.size()); }
  int cells() const { return static_cast<int>(cell_nodes.size()) / corners(); }
  int faces() const { return static_cast<int>(face_nodes.size()) / dimension; }
  int edges() const { return dimension == 2 ? nodes() : static_cast<int>(edge_nodes.size()) / 2; }

  /// +1 if the face's normal points out of the cell through its side `corner`, else -1. `ascending(a, b)`: whether node
  /// a has the lower global id.
  template <class Ascending>
  int face_sign(int cell, int corner, const Ascending& ascending) const;
};

/// The whole mesh in its global numbering, on the reading rank only. Cells are numbered along a Hilbert curve; nodes,
/// edges and faces in the order in which those cells first meet them.
struct GlobalMesh : Connectivity {
  std::vector<int> node_first_cell, edge_first_cell, face_first_cell;  ///< lowest cell around each entity
  std::vector<int> face_cells;                                         ///< 2 per face, -1: outside
  std::vector<std::int64_t> point_ids, cell_ids;                       ///< the file's node and element numbers

  std::span<const int> face_cells_of(int face) const { return row_of(face_cells, face, 2); }
};

/// Orders and connects a mesh. Throws Error (exit code 2) with the entity if cells are flat, overlap or share a face
/// with more than one neighbour, if the boundary groups do not cover the boundary exactly once, if a 2D mesh touches
/// itself at a single node, or if the patches of a pair are not a translation apart.
/// Faces of pairs become inside faces, and their patches are removed.
GlobalMesh build_topology(const MeshSource& source);

template <class Ascending>
int Connectivity::face_sign(int cell, int corner, const Ascending& ascending) const {
  const std::span<const int> v = cell_nodes_of(cell);
  if (dimension ==
      2) {  // the side after the corner runs counter-clockwise: fluid on its left, outward normal on its right
    return ascending(v[(corner + 1) % 3], v[(corner + 2) % 3]) ? 1 : -1;
  }
  static constexpr int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward by the right hand
  const int a = v[side[corner][0]], b = v[side[corner][1]], c = v[side[corner][2]];
  const int swaps = !ascending(a, b) + !ascending(b, c) + !ascending(a, c);  // inversions: parity of the permutation
  return swaps % 2 == 0 ? 1 : -1;
}

}  // namespace solenoid
