/// Names of mesh files, and conversion of other formats.
#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

/// Whether the name ends in .geo or .msh.
bool is_mesh_name(const std::filesystem::path& file);

/// Whether the name is that of another program's mesh or geometry.
bool is_foreign_mesh_name(const std::filesystem::path& file);

/// How to convert another program's mesh or geometry to a readable mesh, as the end of a message: ". Gmsh ..."; empty
/// for any other file.
std::string way_to_msh(const std::filesystem::path& file);

}  // namespace solenoid
