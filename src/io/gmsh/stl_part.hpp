/// An .stl as a part.
#pragma once

#include <filesystem>

#include "io/gmsh/part_model.hpp"

namespace solenoid {

/// Reads an .stl into Gmsh's session: its surfaces can be meshed anew; without their centres and normals. Throws as
/// load_part() does.
PartModel load_stl(const std::filesystem::path& file, const PartSettings& settings);

}  // namespace solenoid
