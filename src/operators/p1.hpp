/// Matrices of P1 elements (nodal values, linear on each cell), assembled on the host.
#pragma once

#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Stiffness K_ij = sum_c V_c grad(phi_i).grad(phi_j) [1 in 2D, m in 3D], the cotangent Laplacian; in 2D equal to R M
/// C.
MatrixRows p1_stiffness(const LocalMesh& mesh);

/// The same with a `weight` per local cell, such as its conductivity [W/(m K)]: sum_c w_c V_c grad(phi_i).grad(phi_j)
/// [W/K]. The flux of w grad(phi_j) through the faces of node i's median dual.
MatrixRows p1_stiffness(const LocalMesh& mesh, const std::vector<real>& weight);

/// Consistent mass M_ij = integral of phi_i phi_j [m^2 of unit depth, m^3]: V_c / ((d+1)(d+2)) per cell, twice that on
/// the diagonal.
MatrixRows p1_mass(const LocalMesh& mesh);

/// Row sums of p1_mass, W_i = sum_c V_c / (d+1): the areas or volumes of the median dual.
std::vector<real> p1_lumped_mass(const LocalMesh& mesh);

/// The same with a `weight` per local cell, such as its heat capacity [J/(m^3 K)]: sum_c w_c V_c / (d+1) [J/K].
std::vector<real> p1_lumped_mass(const LocalMesh& mesh, const std::vector<real>& weight);

}  // namespace solenoid
