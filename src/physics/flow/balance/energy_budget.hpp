/// The budget of kinetic energy of a flow.
#pragma once

#include "base/real.hpp"

namespace solenoid {

/// Powers by density [m^5/s^3, in 2D m^4/s^3] at one time: change = pressure + inflow + force + boundary_friction -
/// dissipation - numerical, to the solvers' tolerance once
/// the flow is steady.
struct EnergyBudget {
  real change = 0;             ///< of the kinetic energy
  real pressure = 0;           ///< of the pressure on what enters, less on what leaves
  real inflow = 0;             ///< kinetic energy that enters, less what leaves
  real force = 0;              ///< of the body force
  real boundary_friction = 0;  ///< of walls that move, and of openings
  real dissipation = 0;        ///< by friction inside
  real numerical = 0;          ///< what the convection on the mesh takes besides
};

}  // namespace solenoid
