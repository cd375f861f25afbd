/// The geometries of meshes/, meshed by Gmsh.
#pragma once

#include <string>

#include "mesh/mesh_source.hpp"

namespace solenoid::test {

/// That of this name in edges of `size`, on every rank; once for each of both. Collective.
const MeshSource& read_geometry(const std::string& name, real size);

}  // namespace solenoid::test
