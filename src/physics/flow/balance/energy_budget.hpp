/// The budget of kinetic energy of a flow.
#pragma once

#include "base/real.hpp"

namespace solenoid {

/// Powers by density [m^5/s^3, in 2D m^4/s^3] at one time: change = pressure + inflow + force + boundary_friction -
/// dissipation - numerical, to the solvers' tolerance once the flow is steady.
struct EnergyBudget {
  real change = 0;             ///< of the kinetic energy
  real pressure = 0;           ///< work of the pressure on inflow, less that on outflow
  real inflow = 0;             ///< kinetic energy of inflow, less that of outflow
  real force = 0;              ///< of the body force
  real boundary_friction = 0;  ///< by moving walls and openings
  real dissipation = 0;        ///< by friction inside
  real numerical = 0;          ///< loss by discrete convection
};

}  // namespace solenoid
