/// Units as text, and a case in another frame: other units of length and time, turned or mirrored axes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/coefficient.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

/// Exponents of the base units: W/(m^2 K) is kg s^-3 K^-1.
struct Dimension {
  int metre = 0, second = 0, kilogram = 0, kelvin = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// Dimension of a product of factors separated by spaces: each is m, s, kg, K, N, J, W, 1 or - (none), or a product in
/// parentheses, with or without an exponent of one digit; / applies to the next factor. Throws Error (exit code 1) that
/// names an unknown unit.
Dimension dimension_of(const std::string& unit);

// Of integrals over a flow, per density; in 2D per metre of depth.

inline const char* unit_of_flux(int dimension) { return dimension == 2 ? "m^2/s" : "m^3/s"; }
inline const char* unit_of_energy(int dimension) { return dimension == 2 ? "m^4/s^2" : "m^5/s^2"; }
inline const char* unit_of_power(int dimension) { return dimension == 2 ? "m^4/s^3" : "m^5/s^3"; }

/// Scales lengths and times by powers of two and maps component k of a direction to plus or minus another component: no
/// digit of any value is lost in either direction. Quantities per metre of depth refer to a metre of the new frame.
class Frame {
 public:
  Frame() = default;  ///< the identity
  /// Multiplies lengths by 2^length and times by 2^time.
  static Frame of_units(int length, int time);
  /// Component k of a transformed vector is sign[k] times the component axis[k] of the original one.
  static Frame of_axes(const std::array<int, 3>& axis, const std::array<int, 3>& sign);

  /// The factor for a value in this unit.
  real factor(const std::string& unit) const;
  Vec3 place(const Vec3& x) const { return factor_of_length() * turned(x); }
  Vec3 place_before(const Vec3& seen) const { return turned_back(seen) / factor_of_length(); }
  Vec3 turned(const Vec3& direction) const;
  Vec3 turned_back(const Vec3& seen) const;
  friend bool operator==(const Frame&, const Frame&) = default;
  /// Whether the frame changes handedness.
  bool mirrors() const;

  // The coefficient, in its unit, as a function of the transformed position and time.
  Coefficient<real> seen(const Coefficient<real>& given, const std::string& unit) const;
  Coefficient<Vec3> seen(const Coefficient<Vec3>& given, const std::string& unit) const;
  TimeSettings seen(const TimeSettings& time) const;
  template <class T>
  std::optional<T> seen(const std::optional<T>& given, const std::string& unit) const {
    return given ? std::optional<T>(seen(*given, unit)) : std::nullopt;
  }

 private:
  real factor_of_length() const;
  template <class T>
  Coefficient<T> seen_as(const Coefficient<T>& given, const std::string& unit) const;
  template <class T>
  T turned_value(const T& value) const;

  int length_ = 0, time_ = 0;
  std::array<int, 3> axis_{0, 1, 2}, sign_{1, 1, 1};
};

}  // namespace solenoid
