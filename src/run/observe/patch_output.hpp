/// The boundary of the mesh as surfaces with the names of its groups, for ParaView.
#pragma once

#include "io/paraview/vtk_writer.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

/// A quantity on the boundary: a row of `components` reals per local node, or per face of mesh.boundary().
struct PatchArray {
  std::string name;
  int components = 1;
  std::vector<real> values;
};

/// All quantities on the boundary.
struct PatchQuantities {
  std::vector<PatchArray> at_nodes, at_faces;
};

/// The boundary groups of the whole mesh with these quantities, on rank 0; empty on other ranks. Faces and points
/// ascend in their global ids. Collective.
std::vector<VtkSurface> gather_patches(const LocalMesh& mesh, const PatchQuantities& quantities);

/// Writes `folder`/patches/GROUP.vtp and patches.vtm, replacing those of an earlier output. Collective. Throws a
/// collective Error (exit code 1) if a file cannot be written.
void write_patches(const OutputFolder& folder, const LocalMesh& mesh, const PatchQuantities& quantities);

}  // namespace solenoid
