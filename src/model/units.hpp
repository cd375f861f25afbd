/// Units of integrals over a flow, per density; in 2D per metre of depth.
#pragma once

namespace solenoid {

inline const char* unit_of_flux(int dimension) { return dimension == 2 ? "m^2/s" : "m^3/s"; }
inline const char* unit_of_energy(int dimension) { return dimension == 2 ? "m^4/s^2" : "m^5/s^2"; }
inline const char* unit_of_power(int dimension) { return dimension == 2 ? "m^4/s^3" : "m^5/s^3"; }

}  // namespace solenoid
