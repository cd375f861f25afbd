/// Meshes of the unit square and cube of the kinds that programs make: structured, displaced, flat, divided, and by
/// Gmsh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh_source.hpp"

namespace solenoid::test {

struct NamedMesh {
  std::string name;
  MeshSource mesh;
  real depth = 1;  ///< of a flat one along its last axis
};

/// About n spacings a side; patches "lid" (y = 1) and "wall" (the rest), as those of unit_square and unit_cube. Gmsh's
/// is among them where the tests read files and no access is checked. Collective.
std::vector<NamedMesh> kinds_of_meshes(int dimension, int n);

/// Each point x at `to`(x) instead.
MeshSource moved(MeshSource mesh, const std::function<Vec3(const Vec3&)>& to);

/// The unit square as 2 n^2 triangles whose diagonals all run the same way.
MeshSource one_way_square(int n);

/// The unit cube as 5 n^3 tetrahedra, each cube the mirror image of its neighbours.
MeshSource five_in_a_cube(int n);

/// Every third cell divided into dimension + 1 by a point within: nodes with few and with many cells around them.
MeshSource with_divided_cells(MeshSource mesh);

}  // namespace solenoid::test
