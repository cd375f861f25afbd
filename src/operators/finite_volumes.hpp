/// Matrices of finite volumes, assembled on the host: the two-point Laplacian of cell values; mass and implicit
/// viscosity of the fluxes on faces.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// A_f / L_f [m] of the owned faces inside the domain; 0 on the boundary (no flux). L_f is the projected distance of
/// the centroids, LocalMesh::dual_length. Eymard, Gallouet & Herbin 2000, ch. 3, with centroids as cell points.
std::vector<real> inner_conductance(const LocalMesh& mesh);

/// -D w G [m], w the `conductance` A/L of each face, one row per owned cell: (sum_f w_f) p_c - sum_f w_f p_c', c' the
/// cell across f. Symmetric positive semidefinite; a boundary face adds to the diagonal only. A cell without
/// conductance on any face gets the row p_c = 0. Collective; `conductance` receives its halo.
MatrixRows two_point_laplacian(const LocalMesh& mesh, Field<Face>& conductance);

/// Mass of Raviart and Thomas's lowest-order functions [1/m]: m_ij = integral of phi_i.phi_j, phi_i = +-(x - v_i)/(d V)
/// with flux 1 through face i opposite corner v_i. A cell's share is +-(b_i.b_j + sum_k |b_k|^2/((d+1)(d+2)))/(d^2 V),
/// b_k = v_k - x_c, + if both normals point out of the cell or both into it. Raviart & Thomas 1977; symmetric, positive
/// definite. On divergence-free fluxes it equals apply_face_mass, which is singular off them.
MatrixRows rt0_mass(const LocalMesh& mesh);

/// D^T w D, with the pattern of rt0_mass: the inner product of divergences with a weight per cell; zero on
/// divergence-free fluxes. Collective; `weight` receives its halo.
MatrixRows divergence_product(const LocalMesh& mesh, Field<Cell>& weight);

/// K0 = J^T K J [1/m^3 for conductances in m]: friction of the cell velocities (J U)_c = (1/V_c) sum_f +-U_f (x_f -
/// x_c), the interpolation of Perot 2000, eq. 95, with K the two-point Laplacian of each component with `conductance`
/// A/L [m]. nu K0 U [m^2/s^2] is a line integral along the duals, as is rt0_mass U / dt. Symmetric positive
/// semidefinite. With inner_conductance the fluxes of a constant velocity have no friction; a conductance on a boundary
/// face adds friction at a wall at rest. Collective; `conductance` receives its halo.
MatrixRows face_diffusion(const LocalMesh& mesh, Field<Face>& conductance);

/// mass_factor rt0_mass + viscosity face_diffusion [1/(m s)]: momentum matrix of the classical step with implicit
/// viscosity. `mass_factor` a/dt [1/s], `viscosity` nu [m^2/s]. Collective; `conductance` receives its halo.
MatrixRows momentum_matrix(const LocalMesh& mesh, real mass_factor, real viscosity, Field<Face>& conductance);

/// The same with inner_conductance: no friction between the fluid and the boundary. Collective.
MatrixRows momentum_matrix(const LocalMesh& mesh, real mass_factor, real viscosity);

}  // namespace solenoid
