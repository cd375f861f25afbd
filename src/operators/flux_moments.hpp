/// What the fluxes of a velocity do not tell of its mean over a cell.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// I U takes the flux through each face of a tetrahedron at the face's centre, which is exact for a constant velocity.
/// The mean over the cell is (1/V) sum_f of the integral of x (u.n) over the face: of a velocity that changes, the flux
/// has a first moment about the centre too, and I U errs by as much as the velocity changes over the cell. Errors of
/// neighbours do not cancel where their shapes differ, or at a wall, where there is no neighbour.
class FluxMoments {
 public:
  explicit FluxMoments(const LocalMesh& mesh) : points_(mesh.part().points) {}

  /// Sets m [m/s] on the owned cells: the mean less I U, of a velocity [m/s] that is linear between nodes,
  /// 1/3 sum_k (grad lambda_k . u'_k) x'_k over the corners, u' and x' from their means, lambda_k 1 at corner k.
  void find(Exchanged<Node, Vec3> velocity, Field<Cell, Vec3>& m) const;

 private:
  DeviceArray<Vec3> points_;  // [m]
};

}  // namespace solenoid
