/// Boussinesq buoyancy.
#pragma once

#include "field/field.hpp"
#include "operators/p1.hpp"

namespace solenoid {

/// Boussinesq's approximation (1903): the density depends on temperature only in the weight.
struct BuoyancySettings {
  real expansion = 0;  ///< beta [1/K]
  real reference = 0;  ///< T_ref [K], at which the pressure already includes the weight
  Vec3 gravity;        ///< g [m/s^2]
};

/// The acceleration -beta (T - T_ref) g of a temperature that is linear on each cell. Its line integral along the dual
/// of a face, from one cell's centre through the face's to the other's, is exact: layers whose temperature is linear in
/// the height alone yield a gradient in every digit, and stay at rest.
class Buoyancy {
 public:
  Buoyancy(const LocalMesh& mesh, const BuoyancySettings& settings);

  /// Updates from the temperature [K]. Collective.
  void compute(Exchanged<Node> temperature);

  const Field<Face>& along_duals() const { return along_duals_; }  ///< [m^2/s^2]
  const Field<Cell, Vec3>& in_cells() const { return in_cells_; }  ///< at their centres [m/s^2]
  /// N = sqrt(beta |g . grad T|), the largest of all cells [1/s]: frequency of waves in stable layers, growth rate in
  /// unstable ones. Collective.
  real frequency() const;
  /// The largest growth per second of the Courant number per second that it causes in a fluid at rest, without any
  /// opposing pressure [1/s^2]. Collective.
  real courant_rate_from_rest();

 private:
  const LocalMesh& mesh_;
  const real reference_;
  const Vec3 pull_;               // -beta g
  DeviceArray<int> opposite_;     // by slot of G: the node of the cell opposite the face
  DeviceArray<real> per_length_;  // A_f / L_f of owned faces
  P1Gradient gradient_;
  Field<Cell> in_middle_;  // T - T_ref at the centres
  Field<Face> along_duals_;
  Field<Cell, Vec3> in_cells_, slope_;
};

}  // namespace solenoid
