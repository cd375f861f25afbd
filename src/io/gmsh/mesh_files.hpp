/// Names of mesh files, and conversion of other formats.
#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

/// .geo or .msh
bool is_mesh_name(const std::filesystem::path& file);

/// A mesh or a geometry of another program, by its name.
bool is_foreign_mesh_name(const std::filesystem::path& file);

/// How to make a mesh that is read of a mesh or a geometry of another program, as the end of a message: ". Gmsh ...";
/// empty for any other file.
std::string way_to_msh(const std::filesystem::path& file);

}  // namespace solenoid
