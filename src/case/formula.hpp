/// A number, or a formula of position and time, in a case file.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/vec3.hpp"

namespace solenoid {

/// A function of x, y, z [m] and t [s] in muparser's syntax; `pi` is known. Copies share what was parsed and may be
/// evaluated from several threads at once (one after the other).
class Formula {
 public:
  Formula() = default;  ///< the number 0
  explicit Formula(double value) : value_(value) {}
  /// `subject`: what messages say the formula is of, such as a key and its line. Throws Error (bad input) that shows
  /// where `text` is wrong and which names are known.
  explicit Formula(std::string text, std::string subject = "");

  /// values[i] = the value at points[i] [m] and the time `t` [s], parsed once for all of them; throws Error (bad input)
  /// where one is not finite.
  void evaluate(std::span<const Vec3> points, double t, std::span<double> values) const;
  double operator()(const Vec3& x, double t) const;

  bool depends_on_time() const;
  bool depends_on_place() const;
  bool is_number() const { return !formula_; }
  std::string text() const;  ///< as written; a number with as many digits as it takes to read it back

 private:
  struct Parsed;
  double value_ = 0;
  std::shared_ptr<Parsed> formula_;
};

}  // namespace solenoid
