/// What the reader of meshes is asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/gmsh/part_settings.hpp"
#include "io/layers/wall_layers.hpp"
#include "io/msh/msh_mesh.hpp"
#include "mesh/joined_points.hpp"

namespace solenoid {

/// The [mesh] table of a case.
struct MeshRequest {
  std::filesystem::path file;  ///< .geo, .msh in format 2.2 or 4.1, a part, or a mesh of another program
  std::optional<double> size;  ///< target edge length, passed to a .geo as the constant `lc`, in units of the file
  LengthUnits scale = 1;       ///< of the file
  bool trust = false;          ///< allows the .geo to run programs and write files
  double patience = 60;        ///< seconds until a message about a long operation
  PartSettings part = {};      ///< for a part only
  LayerSettings layers = {};   ///< lengths in units of the file
  bool has_scale = true;       ///< `scale` was given; else the user is told of the unit in the file
  PatchPairs pairs = {};       ///< of the case: layers and divided elements are alike on both patches
};

/// The ending of the file's name in small letters, ".step".
std::string extension_of(const std::filesystem::path& file);

}  // namespace solenoid
