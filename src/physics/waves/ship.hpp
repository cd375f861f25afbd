/// Ships: pressures on the surface that move along paths.
#pragma once

#include <string>
#include <vector>

#include "field/field.hpp"
#include "model/coefficient.hpp"

namespace solenoid {

/// A hull as the pressure of its draught on the water, which is full within and falls to 0 at the rim, on a path.
struct Ship {
  std::string name;
  real length = 0, beam = 0, draught = 0;  ///< [m]
  real rounding = 0.5;                     ///< share of half of the length and beam over which the draught falls
  real ramp = 0;                           ///< over which the draught grows from 0 at the start [s]; 0: none
  real density = 1025;                     ///< of the water [kg/m^3]
  Coefficient<Vec3> position;              ///< of its middle, of time [m]
  Coefficient<Vec3> heading;               ///< of time, of length 1
  real port = 1;                           ///< 1: port is left of the heading; -1: in a mirrored frame
};

/// Force and moment of the water on a ship, along its heading.
struct ShipForce {
  real surge = 0;  ///< ahead [N]
  real sway = 0;   ///< to port [N]
  real yaw = 0;    ///< about the vertical through its middle, positive to port [N m]
};

/// A ship at one time, for kernels.
struct Hull {
  Vec3 middle, ahead, abeam;
  real half_length, half_beam, rounding, draught;

  Hull(const Ship& ship, real time);
};

/// All ships of a case, at one time.
class Fleet {
 public:
  Fleet(const LocalMesh& mesh, std::vector<Ship> ships, real gravity);

  /// To their places at `time` [s]. Collective; throws a collective Error if a position or heading is undefined there,
  /// and then they stay.
  void move_to(real time);
  /// g times the draught of all, the pressure over the density, at the owned nodes [m^2/s^2].
  void compute_pressure(Field<Node>& pressure) const;
  /// By ship, from the slope of the surface in the cells: -rho g times the integral of the draught times grad zeta, the
  /// horizontal part of the pressure on the surface (Lamb 1932, Hydrodynamics, section 249). Collective.
  std::vector<ShipForce> forces(const Field<Cell, Vec3>& slope) const;

 private:
  std::vector<Ship> ships_;
  std::vector<Hull> hulls_;  // of each ship; empty before the first move
  Comm comm_;
  real gravity_;
  DeviceArray<Vec3> points_, centres_;  // of nodes and cells; empty without ships
};

}  // namespace solenoid
