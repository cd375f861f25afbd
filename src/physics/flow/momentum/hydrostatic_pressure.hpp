/// The pressure of a fluid at rest under Boussinesq's buoyancy.
#pragma once

#include "model/coefficient.hpp"
#include "physics/flow/momentum/buoyancy.hpp"

namespace solenoid {

/// p over density [m^2/s^2] beside the weight at the reference temperature: the integral of the buoyancy of
/// `temperature` [K] along gravity, from the height of the origin of coordinates, where it is 0. Exact for temperatures
/// of degree five in the height over each sixteenth of the way (Gauss).
Coefficient<real> hydrostatic_pressure(const BuoyancySettings& buoyancy, const Coefficient<real>& temperature);

}  // namespace solenoid
