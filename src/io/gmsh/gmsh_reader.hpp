/// Reader of meshes in any format, and mesher of .geo geometries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/comm.hpp"
#include "io/gmsh/mesh_request.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Whether the name is that of a mesh or geometry that read_mesh() reads.
bool is_mesh_name(const std::filesystem::path& file);

/// Whether the name is that of another program's mesh or geometry.
bool is_foreign_mesh_name(const std::filesystem::path& file);

/// How to convert another program's mesh or geometry to a readable mesh, as the end of a message: ". Gmsh ..."; empty
/// for any other file.
std::string way_to_msh(const std::filesystem::path& file);

/// A hash of the sources of the mesh: the content of the file and of the files that it reads, the size and the scale.
/// Does not use Gmsh. Throws an input error if a file cannot be read.
std::uint64_t origin_of_mesh(const MeshRequest& request);

/// The mesh of `request`: points and cells in the order of the file's numbers, patches and regions in the order of the
/// groups' numbers; names in Latin-1 become UTF-8. A .geo is meshed once per content and size: meshes are kept in
/// $SOLENOID_CACHE, else in $XDG_CACHE_HOME/solenoid/meshes, else in $HOME/.cache/solenoid/meshes, unless they depend
/// on something that the .geo does not show. `say` gets a line per step. Serial: call it on the reading rank, inside a
/// guard. Throws an input error that names the file, the content found and the content expected, also for an untrusted
/// .geo that does more than describe a geometry, and for a .geo whose mesh would not fit into memory. Throws exit code
/// 1 if a new mesh cannot be written, or if memory runs out.
MeshSource read_mesh(const MeshRequest& request, const std::function<void(const std::string&)>& say);

/// The same in rows, of which each rank has an even share: all ranks read a binary .msh of simplices in format 4.1,
/// also one that rank 0 made of a geometry, if it is kept in the cache, which all of them see. Any other mesh is read
/// by rank 0, which shares it out; `say`, on rank 0, is told why. Names are the same on every rank. Collective; throws
/// collective Errors.
MeshSource read_mesh_rows(const Comm& comm, const MeshRequest& request,
                          const std::function<void(const std::string&)>& say);

}  // namespace solenoid
