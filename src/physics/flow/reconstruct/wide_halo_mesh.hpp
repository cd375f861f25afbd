/// A rank's part of a mesh with more halo layers than the operators need, for stencils over several rings of cells.
#pragma once

#include "mesh/csr.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

struct WideHaloMesh {
  /// Rings of cells that a fit at a node may span, and so the halo layers that the part must have.
  static constexpr int layers = 3;

  MeshPart part;      ///< without face_numbering, which `faces` has
  Layout faces;       ///< faces of `part`
  Csr<int> cells_of;  ///< around each node of `part`

  /// `wide`: the same partition as `mesh` with `layers` layers of halo. Collective; throws a collective Error if it is
  /// a different partition.
  WideHaloMesh(const LocalMesh& mesh, MeshPart wide, const MemoryOf& = MemoryOf("wide halo"));
};

}  // namespace solenoid
