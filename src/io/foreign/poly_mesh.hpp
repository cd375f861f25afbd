/// Reader of OpenFOAM's polyMesh.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/msh/msh_records.hpp"

namespace solenoid {

/// The files of a polyMesh that a mesh depends on, of those that exist.
std::vector<std::filesystem::path> files_of_poly_mesh(const std::filesystem::path& folder);

/// Reads the polyMesh in `folder`: patches become groups of the boundary, cell zones those of cells; numbers are those
/// of OpenFOAM, from 0. Cells are divided by PolyhedronDivision. With `empty` patches it is the plane mesh of their
/// faces. `name`: the folder in messages. Throws an input error that names a file and the fault found in it, also for
/// `wedge` and `processor` patches, a plane mesh of more than one layer, and one that is not normal to z.
/// OpenFOAM User Guide, 5.1: mesh description.
FileMesh read_poly_mesh(const std::filesystem::path& folder, const std::string& name);

}  // namespace solenoid
