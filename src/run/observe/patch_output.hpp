/// The boundary of the mesh as surfaces with the names of its groups, for ParaView.
#pragma once

#include "io/paraview/vtk_writer.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

/// A quantity on the boundary: `components` reals in a row for each local node, or for each of mesh.boundary().
struct PatchArray {
  std::string name;
  int components = 1;
  std::vector<real> values;
};

/// What there is to show on the boundary.
struct PatchQuantities {
  std::vector<PatchArray> at_nodes, at_faces;
};

/// The boundary groups of the whole mesh with these quantities, faces and points ascending in their global ids, on rank
/// 0; nothing elsewhere. Collective.
std::vector<VtkSurface> gather_patches(const LocalMesh& mesh, const PatchQuantities& quantities);

/// Writes `folder`/patches/GROUP.vtp and patches.vtm in place of those of an earlier output. Collective. Throws a
/// collective Error (exit code 1) where a file cannot be written.
void write_patches(const OutputFolder& folder, const LocalMesh& mesh, const PatchQuantities& quantities);

}  // namespace solenoid
