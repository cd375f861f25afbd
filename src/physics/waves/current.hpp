/// A steady current that carries waves.
#pragma once

#include <optional>
#include <vector>

#include "model/coefficient.hpp"
#include "operators/matrix_rows.hpp"
#include "physics/waves/vertical_profile.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// The mean velocity [m/s] of each local cell, by quadrature if it depends on position; empty: no velocity is given.
/// Serial; throws Error (exit code 2) if it has a z-component.
std::vector<Vec3> cell_velocities(const LocalMesh& mesh, const std::optional<Coefficient<Vec3>>& velocity);

/// Throws Error (exit code 2) if the water moves as fast as long waves in a local cell: the velocity [m/s] and depth
/// [m] of each.
void require_subcritical(const LocalMesh& mesh, const std::vector<Vec3>& velocity, const std::vector<real>& depth,
                         real gravity);

/// The terms of a current U, constant in each cell, in the equations of elevation and potential, and the fields of its
/// steps. With Q_ij = integral of phi_j U.grad phi_i they are Q zeta and -Q' phi: the skew pair that conserves
/// phi.Q zeta with the energy of the waves.
struct Current {
  Current(const LocalMesh& mesh, const std::vector<Vec3>& of_cells);

  Field<Cell, Vec3> velocity;               ///< U [m/s]
  SparseMatrix<Node> carrying, transposed;  ///< Q and Q' [m^2/s]
  Field<Node> water_rate, potential_rate;   ///< of the state
  Field<Node> water_sum, potential_sum;     ///< in a step
  real measure = 0;                         ///< integral of U^2, by which a restart knows it [m^4/s^2]
  real measure_before = 0;                  ///< of the run that is continued
};

}  // namespace solenoid
