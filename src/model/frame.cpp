#include "model/frame.hpp"

#include <cmath>
#include <type_traits>

#include "model/units.hpp"

namespace solenoid {

namespace {

constexpr real Vec3::*components[3] = {&Vec3::x, &Vec3::y, &Vec3::z};

}  // namespace

Frame Frame::of_units(int length, int time) {
  Frame frame;
  frame.length_ = length;
  frame.time_ = time;
  return frame;
}

Frame Frame::of_axes(const std::array<int, 3>& axis, const std::array<int, 3>& sign) {
  Frame frame;
  frame.axis_ = axis;
  frame.sign_ = sign;
  return frame;
}

real Frame::factor(const std::string& unit) const {
  const Dimension dimension = dimension_of(unit);
  return std::ldexp(real{1}, dimension.metre * length_ + dimension.second * time_);
}

real Frame::factor_of_length() const { return std::ldexp(real{1}, length_); }

Vec3 Frame::turned(const Vec3& direction) const {
  Vec3 seen;
  for (int k = 0; k < 3; ++k) seen.*components[k] = static_cast<real>(sign_[k]) * direction.*components[axis_[k]];
  return seen;
}

Vec3 Frame::turned_back(const Vec3& seen) const {
  Vec3 direction;
  for (int k = 0; k < 3; ++k) direction.*components[axis_[k]] = static_cast<real>(sign_[k]) * seen.*components[k];
  return direction;
}

bool Frame::mirrors() const {
  const Vec3 x = turned({1, 0, 0}), y = turned({0, 1, 0}), z = turned({0, 0, 1});
  return dot(cross(x, y), z) < 0;
}

template <class T>
T Frame::turned_value(const T& value) const {
  if constexpr (std::is_same_v<T, Vec3>) {
    return turned(value);
  } else {
    return value;
  }
}

template <class T>
Coefficient<T> Frame::seen_as(const Coefficient<T>& given, const std::string& unit) const {
  const real times = factor(unit);
  if (given.constant()) return {times * turned_value(*given.constant()), given.text()};
  return {[frame = *this, given, times](std::span<const Vec3> points, real time, std::span<T> values) {
            std::vector<Vec3> before;
            for (const Vec3& x : points) before.push_back(frame.place_before(x));
            given.evaluate(before, time / frame.factor("s"), values);
            for (T& value : values) value = times * frame.turned_value(value);
          },
          given.depends(), given.text()};
}

Coefficient<real> Frame::seen(const Coefficient<real>& given, const std::string& unit) const {
  return seen_as(given, unit);
}
Coefficient<Vec3> Frame::seen(const Coefficient<Vec3>& given, const std::string& unit) const {
  return seen_as(given, unit);
}

TimeSettings Frame::seen(const TimeSettings& time) const {
  TimeSettings other = time;
  other.end *= factor("s");
  other.step.step *= factor("s");
  other.step.step_max *= factor("s");
  other.steady_tolerance *= factor("1/s");
  return other;
}

}  // namespace solenoid
