/// The mesh in a checkpoint, as it was read: a restart needs neither the mesh file nor Gmsh.
#pragma once

#include <optional>

#include "io/hdf5/hdf5_objects.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Makes the group `mesh` in `file`, which lies at `path`, of what rank 0 has: without the numbers of the file that it
/// was read from. Collective; throws a collective Error (exit code 1) that names the path and the reason.
void write_mesh_group(const Comm& comm, hid_t file, const std::filesystem::path& path,
                      const std::optional<MeshSource>& mesh);

/// That mesh, of a file of so many bytes, on rank 0; points and cells are numbered from 1 on. Nothing where it is not
/// what write_mesh_group() writes. For every rank.
std::optional<MeshSource> read_mesh_group(const Comm& comm, hid_t file, std::size_t bytes);

}  // namespace solenoid
