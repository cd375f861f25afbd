/// A number, or a formula of position and time, in a case file, and the Coefficients of the physics made of them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/vec3.hpp"
#include "case/point_values.hpp"
#include "model/coefficient.hpp"
#include "model/tabulated_function.hpp"

namespace solenoid {

/// Functions of a case by the names that its formulas call them by.
using FormulaFunctions = std::map<std::string, std::shared_ptr<const TabulatedFunction>>;

/// Whether a formula can call a function by this name, which it does not know yet.
bool can_name_function(const std::string& name);

/// Arguments of a formula: x, y, z [m] and t [s], or a temperature T [K], a wave number k [1/m] or a flux Q [m^3/s, in
/// 2D m^2/s], which it takes in the place of x.
enum class FormulaArguments { place_and_time, temperature, wave_number, flux };

/// A function of x, y, z [m] and t [s], of T [K], of k [1/m], or of Q, in muparser's syntax, where `pi` is known, or
/// between values at points. Copies share one parser; several threads may evaluate them at once (a lock serialises the
/// calls).
class Formula {
 public:
  Formula() = default;  ///< the number 0
  explicit Formula(double value) : value_(value) {}
  /// `subject` names the formula in messages, such as a key and its line; `functions`: those that it may call. Throws
  /// Error (bad input) with the position of the fault in `text` and the known names.
  explicit Formula(std::string text, std::string subject = "", const FormulaFunctions& functions = {},
                   FormulaArguments arguments = FormulaArguments::place_and_time);

  /// The value number `value` of these, shown as `text`.
  Formula(std::shared_ptr<const PointValues> points, std::size_t value, std::string text)
      : points_(std::move(points)), number_(value), text_(std::move(text)) {}

  /// values[i] = the value at points[i] [m] and the time `t` [s], parsed once per block of points. Throws Error (bad
  /// input) if one is not finite, or the argument of a function beyond its table.
  void evaluate(std::span<const Vec3> points, double t, std::span<double> values) const;
  double operator()(const Vec3& x, double t) const;

  bool depends_on_time() const;
  bool depends_on_place() const;
  bool is_number() const { return !formula_ && !points_; }
  std::string text() const;  ///< as written; a number with enough digits to read it back exactly

 private:
  struct Parsed;
  double value_ = 0;
  std::shared_ptr<Parsed> formula_;
  std::shared_ptr<const PointValues> points_;
  std::size_t number_ = 0;  // among the values at points
  std::string text_;        // of those
};

Coefficient<real> given(const Formula& formula);
Coefficient<Vec3> given(const std::array<Formula, 3>& components);

/// Lower bound 0 of a user-supplied function, and whether 0 itself is allowed.
struct LowerBound {
  bool allows_zero;
  std::string subject;  ///< for messages: the file and the key
};
/// Its evaluation throws Error (exit code 2) at a value below zero, or at zero if that is not allowed.
Coefficient<real> given(const Formula& formula, const LowerBound& bound);

}  // namespace solenoid
