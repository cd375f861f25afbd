/// Refinement of a distributed mesh: each rank divides its own cells and those of its halo.
#pragma once

#include <optional>
#include <vector>

#include "mesh/mesh_part.hpp"

namespace solenoid {

/// Cells that one cell becomes by a refinement.
inline int children_of_cell(int dimension) { return dimension == 2 ? 4 : 8; }

/// The part, which has at least one layer of halo cells, after one refinement (divide_triangle, divide_tetrahedron).
/// The children of cell c are children_of_cell() c and the next numbers; nodes, edges and faces are numbered in the
/// order in which cells first meet them, and belong to the owner of the entity in whose interior they lie, so to that
/// of the lowest cell around. Numbers and points are the same on any number of ranks. New nodes lie in the middle of
/// edges; copies of points are numbered with gaps. Collective. Throws a collective Error (exit code 1) if the tables
/// of a rank become too long for 32 bits.
MeshPart refine(const Comm& comm, const MeshPart& part);

/// The part that distribute() returns, after `times` refinements, with `layers` layers of halo in the end. Collective.
MeshPart distribute_refined(const Comm& comm, const std::optional<GlobalMesh>& mesh, const std::vector<int>& cell_owner,
                            int layers, int times);

/// A part with `layers` layers of halo after `times` refinements, with as many. Collective.
MeshPart refined(const Comm& comm, MeshPart part, int layers, int times);

/// The whole mesh after `times` refinements, on this rank alone; cells keep the file's number of the cell that they
/// are a part of, points are numbered from 1.
GlobalMesh refined_whole(const GlobalMesh& mesh, int times);

struct EntityCounts {
  std::int64_t nodes = 0, edges = 0, faces = 0, cells = 0;  ///< 2D: edges are nodes
};

/// Counts of a mesh after `times` refinements.
EntityCounts refined_counts(const Connectivity& mesh, int times);

/// A part of one rank without the others' cells, as a mesh of its own: what follows from the part, and numbers of
/// points from 1 on.
GlobalMesh whole_of(const MeshPart& part);

}  // namespace solenoid
