/// Units as text, decomposed into base units.
#pragma once

#include <string>

namespace solenoid {

/// Exponents of the base units: W/(m^2 K) is kg s^-3 K^-1.
struct Dimension {
  int metre = 0, second = 0, kilogram = 0, kelvin = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// Dimension of a product of factors separated by spaces: each is m, s, kg, K, J, W, 1 or - (none), or a product in
/// parentheses, with or without an exponent of one digit; / applies to the next factor. Throws Error (exit code 1) that
/// names an unknown unit.
Dimension dimension_of(const std::string& unit);

// Of integrals over a flow, per density; in 2D per metre of depth.

inline const char* unit_of_flux(int dimension) { return dimension == 2 ? "m^2/s" : "m^3/s"; }
inline const char* unit_of_energy(int dimension) { return dimension == 2 ? "m^4/s^2" : "m^5/s^2"; }
inline const char* unit_of_power(int dimension) { return dimension == 2 ? "m^4/s^3" : "m^5/s^3"; }

}  // namespace solenoid
