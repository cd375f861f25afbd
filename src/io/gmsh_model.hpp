/// From the mesh that Gmsh holds to a MeshSource: what is a cell, a boundary face, a patch, a region, and what is
/// refused.
#pragma once

#include <string>

#include "io/msh_check.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The mesh of Gmsh's current model, which was read from a file of this version; format 2.2 with the option
/// Mesh.SwitchElementTags = 1. `scale`: length unit of the file [m]; `file`: what messages call it.
/// Throws an input error for other elements than triangles or tetrahedra, a 2D mesh out of the plane, elements in two
/// groups, and a boundary without groups. Gmsh's own exceptions pass through.
MeshSource mesh_of_current_model(MshVersion version, double scale, const std::string& file);

}  // namespace solenoid
