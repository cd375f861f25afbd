/// Laplacian of cell values by two-point fluxes.
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

}  // namespace solenoid
