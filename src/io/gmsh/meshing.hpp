/// Gmsh at work on a file: meshes of .geo programs, of the geometry in its session, and of other formats, as .msh
/// files.
#pragma once

#include <filesystem>

#include "io/gmsh/gmsh_process.hpp"
#include "io/gmsh/mesh_request.hpp"

namespace solenoid {

/// Meshes what the session holds and writes to `result`, as Gmsh does, the elements in physical groups, or all elements
/// if no group has the highest dimension. Throws an input error for a mesh that would not fit into memory, and if Gmsh
/// cannot make it; exit code 1 if it cannot be written. `more`: cells of short edges away from the curves of the
/// geometry, by which the forecast of the mesh goes.
void generate_mesh(const MeshRequest& request, int dimension, const std::filesystem::path& result,
                   const GmshReports& reports, double more = 0);

/// The same for a .geo, in a session of its own.
void mesh_geo(const MeshRequest& request, const std::filesystem::path& result, const GmshReports& reports);

/// Has Gmsh read a mesh of another program and write it to `result`: by a link, in whose place no FILE.opt lies, which
/// Gmsh would carry out, and with an ending that Gmsh knows: it takes a.Unv for a .geo, which is a program.
void convert_mesh(const MeshRequest& request, const std::filesystem::path& result, const GmshReports& reports);

}  // namespace solenoid
