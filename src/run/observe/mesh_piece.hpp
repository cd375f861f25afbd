/// A rank's piece of the mesh in the ParaView files of a run.
#pragma once

#include "io/paraview/vtk_writer.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

/// All local cells, owned ones first, and their nodes.
struct MeshPiece {
  VtkPiece piece;
  std::vector<int> nodes;  ///< the local node of each point of the piece

  explicit MeshPiece(const LocalMesh& mesh);
};

}  // namespace solenoid
