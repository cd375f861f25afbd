/// A rank's block of a mesh of tetrahedra that no rank holds whole: cells along the Hilbert curve, and the nodes, edges
/// and faces that they meet first.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "mesh/mesh_source.hpp"
#include "mesh/row_blocks.hpp"

namespace solenoid {

/// The ends of the edges of a tetrahedron, by places of corners.
inline constexpr std::array<std::array<int, 2>, 6> ends_of_edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// A tetrahedron, its entities by their numbers in the whole mesh.
struct BlockCell {
  std::array<std::int64_t, 4> nodes;  ///< positively oriented
  std::array<std::int64_t, 4> faces;  ///< face k lies opposite node k
  std::array<std::int64_t, 6> edges;  ///< as ends_of_edges
  int region;                         ///< -1: none
  int is_swapped;                     ///< as Connectivity::cell_swapped
};

/// In the numbering of GlobalMesh. The numbers of each rank are consecutive, since it has consecutive cells of the
/// curve, and an entity is numbered where a cell first meets it.
struct MeshBlock {
  RowBlocks cell_blocks, node_blocks, edge_blocks, face_blocks;
  std::vector<BlockCell> cells;
  std::vector<Vec3> points;     ///< per node [m]
  std::vector<int> face_patch;  ///< per face, -1: inside the domain
  std::vector<std::string> patches, regions;
};

/// Orders and connects a mesh of tetrahedra given in rows, a block on each rank in their order: `cells` and
/// `boundary_faces` have places in the table of all points; patches, regions and the name are the same on every rank;
/// without ids of points and cells, messages count from 1. Every rank gets an even share of the cells. Collective.
/// Throws a collective Error (exit code 2) as build_topology() does for a mesh without pairs.
MeshBlock connect_in_blocks(const Comm& comm, const MeshSource& rows);

}  // namespace solenoid
