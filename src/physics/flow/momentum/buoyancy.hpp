/// Boussinesq buoyancy.
#pragma once

#include "field/field.hpp"
#include "operators/p1_gradient.hpp"

namespace solenoid {

/// Boussinesq's approximation (1903): the density changes with the temperature as far as the weight goes.
struct BuoyancySettings {
  real expansion = 0;  ///< beta [1/K]
  real reference = 0;  ///< T_ref, at which the fluid weighs what the pressure carries already [K]
  Vec3 gravity;        ///< g [m/s^2]
};

/// The acceleration -beta (T - T_ref) g of a temperature that is linear on each cell. Along the dual of a face, from
/// one cell's centre by the face's to the other's, its line integral is taken as it is: layers of a temperature that
/// changes with the height alone and linearly make a gradient in every digit, and stay at rest.
class Buoyancy {
 public:
  Buoyancy(const LocalMesh& mesh, const BuoyancySettings& settings);

  /// Takes the temperature [K] as it is. Collective.
  void compute(Exchanged<Node> temperature);

  const Field<Face>& along_duals() const { return along_duals_; }  ///< [m^2/s^2]
  const Field<Cell, Vec3>& in_cells() const { return in_cells_; }  ///< at their centres [m/s^2]
  /// N = sqrt(beta |g . grad T|), the largest in a cell: with it waves of layers that are stable swing, and others
  /// grow [1/s]. Collective.
  real frequency() const;
  /// The largest growth of the Courant number per second in a second that it makes of a fluid at rest, were there no
  /// pressure to withstand [1/s^2]. Collective.
  real courant_rate_from_rest();

 private:
  const LocalMesh& mesh_;
  const real reference_;
  const Vec3 pull_;               // -beta g
  DeviceArray<int> opposite_;     // by slot of G: the node of the cell that is not the face's
  DeviceArray<real> per_length_;  // A_f / L_f of owned faces
  P1Gradient gradient_;
  Field<Cell> in_middle_;  // T - T_ref at the centres
  Field<Face> along_duals_;
  Field<Cell, Vec3> in_cells_, slope_;
};

}  // namespace solenoid
