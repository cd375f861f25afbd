/// Reader of unstructured grids of VTK.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/msh/msh_records.hpp"

namespace solenoid {

/// Gmsh's number of the element type with the same corners in the same order; nullopt: VTK's cell is none of points,
/// lines, triangles, quadrangles, tetrahedra, hexahedra, prisms and pyramids of first or second order.
/// VTK File Formats, figures 2 and 3.
std::optional<int> gmsh_type_of_vtk(int cell);

/// Reads a .vtu, or a legacy .vtk of an unstructured grid. Groups are the values of an array of whole numbers at the
/// cells, by these numbers: of the only such array, or of one with a usual name. Numbers are those of VTK, from 0.
/// `name`: the file in messages. Throws an input error that names the fault.
FileMesh read_vtk_mesh(const std::filesystem::path& file, const std::string& name);

}  // namespace solenoid
