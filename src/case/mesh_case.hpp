/// The [mesh] of a case.
#pragma once

#include <filesystem>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"
#include "io/gmsh/mesh_request.hpp"

namespace solenoid {

class ModelSetup;

/// `folder`: that of the case file, to which the path of the mesh is relative.
MeshSettings read_mesh_settings(TomlSection section, const std::filesystem::path& folder);

/// The settings for the reader of meshes, of a case with this physics.
MeshRequest request_of(const MeshSettings& mesh, const ModelSetup& setup);

}  // namespace solenoid
