/// Meshes of parts from CAD systems and of surfaces of triangles.
#pragma once

#include <filesystem>

#include "io/gmsh/gmsh_process.hpp"
#include "io/gmsh/mesh_request.hpp"
#include "io/gmsh/part_groups.hpp"
#include "io/gmsh/part_model.hpp"

namespace solenoid {

/// A part, and the names of its surfaces and volumes.
struct NamedPart {
  PartModel part;
  PartNames names;
};

/// What is on a part, without its mesh; without names if the groups do not fit it. Serial, in a session of its own.
/// Throws as load_part() does.
NamedPart examine_part(const MeshRequest& request);

/// Meshes the part of `request` and writes the mesh to `result`. `reports` gets its size and unit, and a line per step.
/// Throws an input error that names the file, what is wrong with it, and where.
void mesh_part(const MeshRequest& request, const std::filesystem::path& result, const GmshReports& reports);

/// The lines that tell the size of a part and the unit of its file.
std::vector<std::string> text_of_part_size(const PartModel& part, const MeshRequest& request);

}  // namespace solenoid
