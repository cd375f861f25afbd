/// The boundary of the mesh as surfaces with the names of its groups, for ParaView.
#pragma once

#include "io/vtk_writer.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

/// The boundary groups of the whole mesh, faces and points ascending in their global ids, on rank 0; nothing elsewhere.
/// Collective.
std::vector<VtkSurface> gather_patches(const LocalMesh& mesh);

/// Writes `folder`/patches/GROUP.vtp and patches.vtm. Collective. Throws a collective Error (exit code 1) where a file
/// cannot be written.
void write_patches(const OutputFolder& folder, const LocalMesh& mesh);

}  // namespace solenoid
