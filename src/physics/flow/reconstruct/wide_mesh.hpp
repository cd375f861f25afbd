/// A rank's part of a mesh with more layers of halo cells than the operators need: for fits that reach over several
/// rings of cells.
#pragma once

#include "mesh/csr.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

struct WideMesh {
  /// Rings of cells that a fit at a node may reach over, and so the layers of halo that the part must have.
  static constexpr int layers = 3;

  MeshPart part;      ///< without face_numbering, which `faces` has
  Layout faces;       ///< those of `part`
  Csr<int> cells_of;  ///< around each node of `part`

  /// `wide`: the same partition as `mesh` with `layers` layers of halo. Collective; throws a collective Error where it
  /// is another one.
  WideMesh(const LocalMesh& mesh, MeshPart wide);
};

}  // namespace solenoid
