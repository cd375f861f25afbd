/// The [mesh] of a case.
#pragma once

#include <filesystem>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"
#include "io/gmsh/mesh_request.hpp"

namespace solenoid {

/// `folder`: that of the case file, to which the path of the mesh is relative.
MeshSettings read_mesh_settings(TomlSection section, const std::filesystem::path& folder);

/// The settings for the reader of meshes.
MeshRequest request_of(const MeshSettings& mesh);

}  // namespace solenoid
