/// A case in another frame: other units of length and time, turned or mirrored axes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/coefficient.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

/// Lengths and times are so many times as long, by powers of two, and component k of a direction is plus or minus
/// another one of before: no digit of any value is lost on the way there and back. Of what is per metre of depth the
/// depth is one of the longer metres.
class Frame {
 public:
  Frame() = default;  ///< everything as it is
  /// 2^length and 2^time times as long.
  static Frame of_units(int length, int time);
  /// Component k of what is seen is sign[k] times the component axis[k] of what is.
  static Frame of_axes(const std::array<int, 3>& axis, const std::array<int, 3>& sign);

  /// What a value in this unit is multiplied by.
  real factor(const std::string& unit) const;
  Vec3 place(const Vec3& x) const { return factor_of_length() * turned(x); }
  Vec3 place_before(const Vec3& seen) const { return turned_back(seen) / factor_of_length(); }
  Vec3 turned(const Vec3& direction) const;
  Vec3 turned_back(const Vec3& seen) const;
  friend bool operator==(const Frame&, const Frame&) = default;
  /// Whether a left hand is seen as a right one.
  bool mirrors() const;

  // What is given, in its unit, as a function of the place and time that are seen.
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
