#include "model/frame.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <type_traits>

#include "base/error.hpp"

namespace solenoid {

namespace {

const std::map<std::string, Dimension> known{{"m", {.metre = 1}},
                                             {"s", {.second = 1}},
                                             {"kg", {.kilogram = 1}},
                                             {"K", {.kelvin = 1}},
                                             {"N", {.metre = 1, .second = -2, .kilogram = 1}},
                                             {"J", {.metre = 2, .second = -2, .kilogram = 1}},
                                             {"W", {.metre = 2, .second = -3, .kilogram = 1}},
                                             {"1", {}},
                                             {"-", {}}};

void multiply(Dimension& product, const Dimension& factor, int power) {
  product.metre += power * factor.metre;
  product.second += power * factor.second;
  product.kilogram += power * factor.kilogram;
  product.kelvin += power * factor.kelvin;
}

/// Reads a unit from left to right.
class UnitReader {
 public:
  explicit UnitReader(const std::string& unit) : unit_(unit) {}

  /// Product of the factors up to the end or to the closing parenthesis.
  Dimension product() {
    Dimension result;
    int sign = 1;  // of the power of the next factor
    for (; at_ < unit_.size() && unit_[at_] != ')'; sign = 1) {
      for (; at_ < unit_.size() && (unit_[at_] == ' ' || unit_[at_] == '/'); ++at_) {
        if (unit_[at_] == '/') sign = -1;
      }
      const Dimension next = factor();
      multiply(result, next, sign * power());
    }
    return result;
  }
  bool is_at_end() const { return at_ == unit_.size(); }

 private:
  Dimension factor() {
    if (at_ < unit_.size() && unit_[at_] == '(') {
      ++at_;
      const Dimension inside = product();
      if (!is_at_end()) ++at_;
      return inside;
    }
    const std::size_t end = std::min(unit_.find_first_of(" /()^", at_), unit_.size());
    const std::string name = unit_.substr(at_, end - at_);
    at_ = end;
    const auto found = known.find(name);
    require(found != known.end(), [&] { return message("the unit `{}`: `{}` is not a known unit", unit_, name); });
    return found->second;
  }
  int power() {
    if (at_ >= unit_.size() || unit_[at_] != '^') return 1;
    const char digit = at_ + 1 < unit_.size() ? unit_[at_ + 1] : ' ';
    require(std::isdigit(static_cast<unsigned char>(digit)),
            [&] { return message("the unit `{}`: `^{}`, expected a digit", unit_, digit); });
    at_ += 2;
    return digit - '0';
  }
  const std::string& unit_;
  std::size_t at_ = 0;
};

}  // namespace

Dimension dimension_of(const std::string& unit) {
  UnitReader reader(unit);
  const Dimension dimension = reader.product();
  require(reader.is_at_end(), [&] { return message("the unit `{}`: a parenthesis closes that none opens", unit); });
  return dimension;
}

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
  other.begin *= factor("s");
  other.end *= factor("s");
  other.step.step *= factor("s");
  other.step.step_max *= factor("s");
  other.steady_tolerance *= factor("1/s");
  return other;
}

}  // namespace solenoid
