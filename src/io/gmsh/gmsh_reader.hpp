/// Reader of .msh meshes and mesher of .geo geometries; the sole user of Gmsh.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The [mesh] table of a case.
struct MeshRequest {
  std::filesystem::path file;  ///< .geo, or .msh in format 2.2 or 4.1, text or binary
  std::optional<double> size;  ///< target edge length handed to the .geo as the constant `lc`, in units of the file
  double scale = 1;            ///< length unit of the file [m]
  bool trust = false;          ///< the .geo may run programs and write files
  double patience = 60;        ///< seconds until it is said what takes so long
};

/// A hash of what the mesh of `request` is made from: the content of the file and of those that it reads, the size and
/// the scale. Gmsh is not asked. Throws an input error where a file cannot be read.
std::uint64_t origin_of_mesh(const MeshRequest& request);

/// The mesh of `request`, points and cells in the order of the file's numbers, patches and regions in that of the
/// groups' numbers; names in Latin-1 become UTF-8. A .geo is meshed once per content and size: meshes are kept in
/// $SOLENOID_CACHE, else in $XDG_CACHE_HOME/solenoid/meshes, else in $HOME/.cache/solenoid/meshes; those that depend on
/// what cannot be told from the .geo are not. `say` gets a line per step taken, from another thread too.
/// Serial: call it on the reading rank, inside a guard. Throws an input error that names the file, what was found and
/// what was expected: for a .geo that does more than describe a geometry and is not trusted, too, and for one whose
/// mesh would not fit into memory. Throws exit code 1 if a mesh that was made cannot be written, or memory runs out.
MeshSource read_mesh(const MeshRequest& request, const std::function<void(const std::string&)>& say);

}  // namespace solenoid
