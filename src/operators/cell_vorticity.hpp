/// The vorticity in cells, from its line integrals along edges (3D).
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// Nedelec's interpolant at the centroid: sum_e omega_e phi_e(x_c) [1/s], phi_ab = (grad lambda_b - grad lambda_a) / 4
/// there. Exact for a constant vorticity.
class CellVorticity {
 public:
  /// Refers to `mesh`, which must outlive it. Throws in 2D.
  explicit CellVorticity(const LocalMesh& mesh);

  /// `vorticity`: line integrals along edges [m/s].
  void find(Exchanged<Edge> vorticity, Field<Cell, Vec3>& in_cells) const;

 private:
  const LocalMesh& mesh_;
  DeviceArray<int> edge_;     // six of each owned cell
  DeviceArray<Vec3> weight_;  // phi_e there [1/m]
};

}  // namespace solenoid
