/// Reader of SU2's native meshes.
#pragma once

#include <filesystem>
#include <string>

#include "io/msh/msh_records.hpp"

namespace solenoid {

/// Reads an .su2 file: markers become groups of the boundary; numbers are those of SU2, from 0. `name`: the file in
/// messages. Throws an input error that names the line, the content found and the content expected.
/// SU2 documentation, Mesh File: SU2 native format.
FileMesh read_su2_mesh(const std::filesystem::path& file, const std::string& name);

}  // namespace solenoid
