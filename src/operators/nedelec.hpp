/// Matrices of Nedelec's lowest-order edge elements, with one value per edge, assembled on the host.
#pragma once

#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Corners at the ends of a tetrahedron's edges.
inline constexpr int edge_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// The local edges of each local cell, in the order of edge_ends (3D).
std::vector<int> edges_of_cells(const MeshPart& part);

/// R M C [1/m], the curl-curl matrix: sum over cells of V_c curl(phi_i).curl(phi_j), where phi_ab = lambda_a
/// grad(lambda_b) - lambda_b grad(lambda_a) has the line integral 1 along its own edge a -> b and 0 along the others.
/// Nedelec 1980, lowest degree. It maps gradients, p_b - p_a on each edge, to zero. In 2D edges are nodes seen end-on,
/// and it is p1_stiffness.
MatrixRows curl_curl(const LocalMesh& mesh);

/// M_e [m], the mass matrix: sum over cells of the integral of phi_i.phi_j. It maps the line integrals of a constant
/// vector a along the edges to the integrals of a.phi_e. Symmetric, positive definite. In 2D it is p1_mass [m^2].
MatrixRows edge_mass(const LocalMesh& mesh);

/// A diagonal lower bound D of M_e, per owned edge [m] (3D): sum_K l_K diag(M_K), l_K the least eigenvalue of
/// diag(M_K)^-1 M_K in cell K, so that x.Dx <= x.M_e x for every x (Wathen 1987).
std::vector<real> lower_edge_mass(const LocalMesh& mesh);

}  // namespace solenoid
