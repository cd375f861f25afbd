/// The mesh in a checkpoint, as it was read: a restart needs neither the mesh file nor Gmsh.
#pragma once

#include <optional>

#include "io/hdf5/hdf5_objects.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Creates the group `mesh` in `file`, which lies at `path`, from the rows that each rank has: of shared_by_rows(), or
/// all of them on rank 0; without the ids of the original mesh file. Collective; throws a collective Error (exit code
/// 1) that names the path and the reason.
void write_mesh_group(const Comm& comm, hid_t file, const std::filesystem::path& path,
                      const std::optional<MeshSource>& mesh);

/// That mesh on rank 0, from a file of `bytes` bytes; point and cell ids count from 1. nullopt if the group differs
/// from the format of write_mesh_group(). Call on every rank.
std::optional<MeshSource> read_mesh_group(const Comm& comm, hid_t file, std::size_t bytes);

}  // namespace solenoid
