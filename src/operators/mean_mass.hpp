/// The mass between the lumped and the consistent one, whose dispersion errors cancel.
#pragma once

#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// M = (1 - th) W + th M_n of W = p1_lumped_mass and M_n = p1_mass, with a `weight` per local cell: th = 1/2 on
/// triangles, .35 on tetrahedra, with which short waves travel at the right speed to fourth order on regular cells.
MatrixRows mean_mass(const LocalMesh& mesh, const std::vector<real>& weight);
MatrixRows mean_mass(const LocalMesh& mesh);

}  // namespace solenoid
