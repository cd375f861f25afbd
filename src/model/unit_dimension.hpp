/// Units as text, decomposed into base units.
#pragma once

#include <string>

namespace solenoid {

/// Powers of the units that a unit is made of: W/(m^2 K) is kg s^-3 K^-1.
struct Dimension {
  int metre = 0, second = 0, kilogram = 0, kelvin = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// Of factors with a space between them, each of m, s, kg, K, J, W, 1 or - for none, or others in parentheses, with a
/// power of one digit or without; / is for the factor behind it. Throws Error (exit code 1) that names what is none of
/// these.
Dimension dimension_of(const std::string& unit);

}  // namespace solenoid
