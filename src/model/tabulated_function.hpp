/// A function of one or two arguments, given by its values on a grid.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace solenoid {

enum class Interpolation {
  linear,  ///< continuous; order 2
  cubic    ///< a spline with two continuous derivatives, not-a-knot at the ends (de Boor 1978, IV); order 4
};

/// The function beyond the ends of an axis.
enum class Outside { error, hold, periodic };

/// An argument and where its values are given.
struct GridAxis {
  std::string name;
  std::vector<double> at;  ///< strictly ascending; at least one
  Outside outside = Outside::error;
};

/// Interpolates values on the points of a grid: exactly there, and in two arguments by the product of the formulas in
/// one. With `Outside::periodic` the first and last value along the axis are the same, one period apart.
class TabulatedFunction {
 public:
  /// One or two axes; the value at the points i, j of the axes is values[i * (points of the second) + j].
  TabulatedFunction(std::vector<GridAxis> axes, std::vector<double> values, Interpolation interpolation);

  const std::vector<GridAxis>& axes() const { return axes_; }
  /// At these arguments, one for each axis. Not a number beyond the end of an axis with `Outside::error`.
  double operator()(double first, double second = 0) const;
  /// The fault of arguments beyond the end of such an axis, in words; nullopt if there is none.
  std::optional<std::string> fault(double first, double second = 0) const;

 private:
  struct Place;
  /// A value and its derivatives for the cubic of each interval: along the first axis, the second, and both.
  struct Knot {
    double value, first, second, both;
  };

  Place place_on(const GridAxis& axis, double argument) const;
  double along_second(const Place& second, std::size_t row, double Knot::*value, double Knot::*slope) const;
  void set_slopes(const GridAxis& axis, std::size_t begin, std::size_t stride, double Knot::*value,
                  double Knot::*slope);

  std::vector<GridAxis> axes_;
  std::vector<Knot> knots_;
  Interpolation interpolation_;
};

}  // namespace solenoid
