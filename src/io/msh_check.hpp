/// What is checked of a .msh file before Gmsh sees it: Gmsh may crash on a damaged one, or return a part of it.
#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

enum class MshVersion { v2_2, v4_1 };

/// Reads the header of `file` and looks for the end of its elements. `name` is what messages call the file.
/// Throws an input error for an empty file, another format or version, and a file that was cut off.
MshVersion check_msh(const std::filesystem::path& file, const std::string& name);

}  // namespace solenoid
