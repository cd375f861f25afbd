/// The linear systems of the solvers, assembled on any mesh.
#pragma once

#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// -D (A/L) G, no flux through the boundary: all cells unknown, singular by a constant.
MatrixRows pressure_matrix(const LocalMesh& mesh);
/// Conduction at unit conductivity: the P1 stiffness, fixed on the boundary.
MatrixRows heat_matrix(const LocalMesh& mesh);
/// R M C on edges: singular by gradients. In 2D the exact step's Laplacian on nodes seen end-on.
MatrixRows potential_matrix(const LocalMesh& mesh);
/// M / dt + nu K0 on faces, with dt = 1 and nu so large that both parts weigh about the same.
MatrixRows momentum_system_matrix(const LocalMesh& mesh);

/// M - div(N grad) of water waves with the parabolic profile, M = h/3 and N = 2 h^3/15, in water three cells deep, with
/// the mean of lumped and consistent mass.
MatrixRows elliptic_matrix(const LocalMesh& mesh);

/// The matrix with identity rows and columns for prescribed entities, for programs without prescribed values. `role`:
/// per local entity, as in Space.
MatrixRows identity_where_prescribed(const MatrixRows& rows, const std::vector<int>& role);

/// Roles that prescribe all nodes on the boundary, the same on every rank. Collective.
std::vector<int> fixed_on_boundary(const LocalMesh& mesh);

/// A system with its name in benchmarks.
template <class L>
struct SystemKind {
  const char* name;
  MatrixRows (*matrix)(const LocalMesh&);
  std::vector<int> (*roles)(const LocalMesh&);  ///< as in Space
  bool is_singular;                             ///< up to a constant; on edges in 3D up to gradients
};
SystemKind<Cell> pressure_system();
SystemKind<Node> heat_system();
SystemKind<Edge> potential_system();
SystemKind<Face> momentum_system();
SystemKind<Node> elliptic_system();

}  // namespace solenoid
