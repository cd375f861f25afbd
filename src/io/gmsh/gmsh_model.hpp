/// Conversion of Gmsh's mesh to a MeshSource: cells, boundary faces, patches, regions, and refusals.
#pragma once

#include <string>

#include "io/msh/msh_check.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The mesh of Gmsh's current model, read from a file that check_msh() summarised as `summary`; format 2.2 with the
/// option Mesh.SwitchElementTags = 1. `scale`: length unit of the file [m]; `file`: its name in messages. Throws an
/// input error for a 2D mesh outside a plane, elements in two groups, a boundary without groups, and cells that Gmsh
/// left out. Gmsh's own exceptions pass through.
MeshSource mesh_of_current_model(const MshSummary& summary, double scale, const std::string& file);

}  // namespace solenoid
