#include "model/tabulated_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace solenoid {

namespace {

bool is_beyond(const GridAxis& axis, double argument) {
  return !(argument >= axis.at.front() && argument <= axis.at.back());
}

/// By more than the round-off of a sum of steps.
bool is_clearly_beyond(const GridAxis& axis, double argument) {
  constexpr double round_off = 1e-9;
  const double slack = round_off * std::max(std::abs(axis.at.front()), std::abs(axis.at.back()));
  return !(argument >= axis.at.front() - slack && argument <= axis.at.back() + slack);
}

/// Solves lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = x[i] in place, by elimination without pivots.
void solve_tridiagonal(const std::vector<double>& lower, std::vector<double> diagonal, const std::vector<double>& upper,
                       std::vector<double>& x) {
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    x[i] -= factor * x[i - 1];
  }
  x.back() /= diagonal.back();
  for (std::size_t i = x.size() - 1; i-- > 0;) x[i] = (x[i] - upper[i] * x[i + 1]) / diagonal[i];
}

/// Derivatives at the points `at` of the spline through `values`, whose second derivative is continuous at all points;
/// so is the third at the second and the last but one.
std::vector<double> spline_slopes(const std::vector<double>& at, const std::vector<double>& values) {
  const std::size_t n = at.size();
  std::vector<double> h(n - 1), secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = at[i + 1] - at[i];
    secant[i] = (values[i + 1] - values[i]) / h[i];
  }
  if (n == 2) return {secant[0], secant[0]};
  if (n == 3) {  // the parabola
    const double middle = (h[1] * secant[0] + h[0] * secant[1]) / (h[0] + h[1]);
    return {2 * secant[0] - middle, middle, 2 * secant[1] - middle};
  }
  std::vector<double> lower(n), diagonal(n), upper(n), slope(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i] = h[i];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    upper[i] = h[i - 1];
    slope[i] = 3 * (h[i] * secant[i - 1] + h[i - 1] * secant[i]);
  }
  const auto end_condition = [](double near, double far, double near_secant, double far_secant) {
    return ((near + 2 * (near + far)) * far * near_secant + near * near * far_secant) / (near + far);
  };
  diagonal[0] = h[1];
  upper[0] = h[0] + h[1];
  slope[0] = end_condition(h[0], h[1], secant[0], secant[1]);
  diagonal[n - 1] = h[n - 3];
  lower[n - 1] = h[n - 2] + h[n - 3];
  slope[n - 1] = end_condition(h[n - 2], h[n - 3], secant[n - 2], secant[n - 3]);
  solve_tridiagonal(lower, diagonal, upper, slope);
  return slope;
}

/// The same for a period, whose last point is its first one: the cyclic system, by Sherman and Morrison's formula.
std::vector<double> periodic_slopes(const std::vector<double>& at, const std::vector<double>& values) {
  const std::size_t n = at.size() - 1;
  if (n == 1) return {0, 0};
  const auto h = [&](std::size_t i) { return at[i % n + 1] - at[i % n]; };
  const auto secant = [&](std::size_t i) { return (values[i % n + 1] - values[i % n]) / h(i); };
  std::vector<double> lower(n), diagonal(n), upper(n), slope(n), corner(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i + n - 1;
    lower[i] = h(i);
    diagonal[i] = 2 * (h(before) + h(i));
    upper[i] = h(before);
    slope[i] = 3 * (h(i) * secant(before) + h(before) * secant(i));
  }
  const double shift = -diagonal[0], last_row = upper[n - 1], first_row = lower[0];
  diagonal[0] -= shift;
  diagonal[n - 1] -= first_row * last_row / shift;
  corner[0] = shift;
  corner[n - 1] += last_row;
  solve_tridiagonal(lower, diagonal, upper, slope);
  solve_tridiagonal(lower, diagonal, upper, corner);
  const double factor =
      (slope[0] + first_row * slope[n - 1] / shift) / (1 + corner[0] + first_row * corner[n - 1] / shift);
  for (std::size_t i = 0; i < n; ++i) slope[i] -= factor * corner[i];
  slope.push_back(slope.front());
  return slope;
}

}  // namespace

/// The interval of an axis around an argument, and the share of its length before it.
struct TabulatedFunction::Place {
  std::size_t interval;
  double share, length;

  double linear(double before, double after) const { return before + share * (after - before); }
  /// Hermite's cubic.
  double cubic(double before, double slope_before, double after, double slope_after) const {
    const double rest = 1 - share;
    return before + share * share * (3 - 2 * share) * (after - before) +
           length * share * rest * (rest * slope_before - share * slope_after);
  }
};

TabulatedFunction::TabulatedFunction(std::vector<GridAxis> axes, std::vector<double> values,
                                     Interpolation interpolation)
    : axes_(std::move(axes)), interpolation_(interpolation) {
  for (const double value : values) knots_.push_back({value, 0, 0, 0});
  if (interpolation_ == Interpolation::linear) return;
  const std::size_t rows = axes_[0].at.size(), columns = knots_.size() / rows;
  for (std::size_t j = 0; j < columns; ++j) set_slopes(axes_[0], j, columns, &Knot::value, &Knot::first);
  if (axes_.size() == 1) return;
  for (std::size_t i = 0; i < rows; ++i) {
    set_slopes(axes_[1], i * columns, 1, &Knot::value, &Knot::second);
    set_slopes(axes_[1], i * columns, 1, &Knot::first, &Knot::both);
  }
}

void TabulatedFunction::set_slopes(const GridAxis& axis, std::size_t begin, std::size_t stride, double Knot::*value,
                                   double Knot::*slope) {
  const std::size_t count = axis.at.size();
  if (count == 1) return;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = knots_[begin + i * stride].*value;
  const bool is_periodic = axis.outside == Outside::periodic;
  const std::vector<double> slopes = is_periodic ? periodic_slopes(axis.at, values) : spline_slopes(axis.at, values);
  for (std::size_t i = 0; i < count; ++i) knots_[begin + i * stride].*slope = slopes[i];
}

TabulatedFunction::Place TabulatedFunction::place_on(const GridAxis& axis, double argument) const {
  const std::vector<double>& at = axis.at;
  if (at.size() == 1) return {0, 0, 0};
  if (axis.outside == Outside::periodic && is_beyond(axis, argument)) {
    const double period = at.back() - at.front();
    argument -= period * std::floor((argument - at.front()) / period);
  }
  argument = std::clamp(argument, at.front(), at.back());
  const auto after = std::upper_bound(at.begin() + 1, at.end() - 1, argument);
  const auto interval = static_cast<std::size_t>(after - at.begin()) - 1;
  const double length = at[interval + 1] - at[interval];
  return {interval, (argument - at[interval]) / length, length};
}

/// Value or slope along the first axis, on a row of the grid.
double TabulatedFunction::along_second(const Place& second, std::size_t row, double Knot::*value,
                                       double Knot::*slope) const {
  const std::size_t columns = knots_.size() / axes_[0].at.size();
  const Knot& before = knots_[row * columns + second.interval];
  if (columns == 1) return before.*value;
  const Knot& after = *(&before + 1);
  return interpolation_ == Interpolation::linear
             ? second.linear(before.*value, after.*value)
             : second.cubic(before.*value, before.*slope, after.*value, after.*slope);
}

double TabulatedFunction::operator()(double first, double second) const {
  if (fault(first, second)) return std::numeric_limits<double>::quiet_NaN();
  const Place on_first = place_on(axes_[0], first);
  const Place on_second = axes_.size() == 1 ? Place{0, 0, 0} : place_on(axes_[1], second);
  const auto value = [&](std::size_t row) { return along_second(on_second, row, &Knot::value, &Knot::second); };
  const auto slope = [&](std::size_t row) { return along_second(on_second, row, &Knot::first, &Knot::both); };
  const std::size_t row = on_first.interval;
  if (axes_[0].at.size() == 1) return value(0);
  if (interpolation_ == Interpolation::linear) return on_first.linear(value(row), value(row + 1));
  return on_first.cubic(value(row), slope(row), value(row + 1), slope(row + 1));
}

std::optional<std::string> TabulatedFunction::fault(double first, double second) const {
  const double arguments[] = {first, second};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const GridAxis& axis = axes_[k];
    if (std::isfinite(arguments[k]) && (axis.outside != Outside::error || !is_clearly_beyond(axis, arguments[k])))
      continue;
    return message("`{}` is {}, beyond its table from {} to {}", axis.name, arguments[k], axis.at.front(),
                   axis.at.back());
  }
  return std::nullopt;
}

}  // namespace solenoid
