/// Functions of position and time from the user: boundary values, sources, material properties, initial states.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// The arguments that a function depends on.
struct Dependence {
  bool on_place = false, on_time = false;
  Dependence operator|(const Dependence& other) const { return {on_place || other.on_place, on_time || other.on_time}; }
};

/// A function of position [m] and time [s] with values T, evaluated at many points at once: the overhead of an
/// evaluation arises once for all points.
template <class T>
class Coefficient {
 public:
  /// values[i] = the value at points[i] and `time`; throws Error (exit code 2) where the function is undefined.
  using Evaluate = std::function<void(std::span<const Vec3> points, real time, std::span<T> values)>;

  // `text`: the function as shown in messages and reports.

  /// Constant in space and time.
  Coefficient(const T& constant = {}, std::string text = "")
      : evaluate_([constant](std::span<const Vec3>, real, std::span<T> values) {
          for (T& value : values) value = constant;
        }),
        constant_(constant),
        text_(std::move(text)) {}
  Coefficient(Evaluate evaluate, Dependence depends, std::string text = "")
      : evaluate_(std::move(evaluate)), depends_(depends), text_(std::move(text)) {}

  /// From f(x), f(t) or f(x, t), evaluated point by point.
  template <class F>
  static Coefficient of_place(F f) {
    return by_point([f = std::move(f)](const Vec3& x, real) { return f(x); }, {true, false});
  }
  template <class F>
  static Coefficient of_time(F f) {
    return by_point([f = std::move(f)](const Vec3&, real t) { return f(t); }, {false, true});
  }
  template <class F>
  static Coefficient of_place_and_time(F f) {
    return by_point(std::move(f), {true, true});
  }

  void evaluate(std::span<const Vec3> points, real time, std::span<T> values) const { evaluate_(points, time, values); }
  std::vector<T> at(std::span<const Vec3> points, real time) const {
    std::vector<T> values(points.size());
    evaluate_(points, time, values);
    return values;
  }
  T at(const Vec3& point, real time) const {
    T value{};
    evaluate_(std::span(&point, 1), time, std::span(&value, 1));
    return value;
  }

  bool depends_on_place() const { return depends_.on_place; }
  bool depends_on_time() const { return depends_.on_time; }
  Dependence depends() const { return depends_; }
  /// The value of a constant; nullopt if the function depends on position or time.
  const std::optional<T>& constant() const { return constant_; }
  const std::string& text() const { return text_; }

 private:
  template <class F>
  static Coefficient by_point(F f, Dependence depends) {
    return Coefficient(
        [f = std::move(f)](std::span<const Vec3> points, real time, std::span<T> values) {
          for (std::size_t i = 0; i < points.size(); ++i) values[i] = f(points[i], time);
        },
        depends);
  }

  Evaluate evaluate_;
  std::optional<T> constant_;
  Dependence depends_;
  std::string text_;
};

}  // namespace solenoid
