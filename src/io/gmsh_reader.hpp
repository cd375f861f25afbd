/// Reads .msh meshes and meshes .geo geometries; the sole user of Gmsh.
#pragma once

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
};

/// The mesh of `request`, points and cells in the order of the file's numbers, patches and regions in that of the
/// groups' numbers. A .geo is meshed once per content and size: meshes are kept in $SOLENOID_CACHE, else in
/// $XDG_CACHE_HOME/solenoid/meshes, else in $HOME/.cache/solenoid/meshes. `say` gets a line per step taken.
/// Serial: call it on the reading rank, inside a guard. Throws an input error that names the file, what was found and
/// what was expected; throws exit code 1 if a mesh that was made cannot be written.
MeshSource read_mesh(const MeshRequest& request, const std::function<void(const std::string&)>& say);

}  // namespace solenoid
