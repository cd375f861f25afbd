/// Functions given by values on a grid: exact where they have to be, orders, and the ends of their axes.
#include "model/tabulated_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace solenoid {
namespace {

/// `count` points on [0, 1], unequally spaced.
GridAxis axis_of(int count, Outside outside = Outside::error) {
  GridAxis axis{"time", {}, outside};
  for (int i = 0; i < count; ++i) {
    const double at = i / (count - 1.0);
    axis.at.push_back(at + 0.05 * std::sin(2 * std::numbers::pi * at));
  }
  return axis;
}

template <class F>
TabulatedFunction tabulated(const GridAxis& axis, Interpolation interpolation, const F& f) {
  std::vector<double> values;
  for (const double at : axis.at) values.push_back(f(at));
  return {{axis}, values, interpolation};
}

template <class F>
TabulatedFunction tabulated(const GridAxis& first, const GridAxis& second, Interpolation interpolation, const F& f) {
  std::vector<double> values;
  for (const double at : first.at) {
    for (const double beside : second.at) values.push_back(f(at, beside));
  }
  return {{first, second}, values, interpolation};
}

/// Largest error on [0, 1].
template <class F>
double error_of(const TabulatedFunction& function, const F& f) {
  double largest = 0;
  for (int i = 0; i <= 1000; ++i) largest = std::max(largest, std::abs(function(i / 1000.0) - f(i / 1000.0)));
  return largest;
}

TEST(TabulatedFunction, HasTheValuesOfItsTableInBits) {
  const auto f = [](double x) { return std::exp(3 * x) / 7; };
  const auto map = [](double x, double y) { return std::exp(3 * x) / (7 + y); };
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const GridAxis axis = axis_of(17);
    const TabulatedFunction function = tabulated(axis, interpolation, f);
    const TabulatedFunction two = tabulated(axis, axis_of(5), interpolation, map);
    for (const double at : axis.at) {
      EXPECT_EQ(function(at), f(at));
      for (const double beside : axis_of(5).at) EXPECT_EQ(two(at, beside), map(at, beside));
    }
  }
}

TEST(TabulatedFunction, KeepsPolynomials) {
  const auto line = [](double x) { return 3 - 2 * x; };
  const auto cubic = [](double x) { return 1 + x * (2 - x * (3 - 4 * x)); };
  const auto parabola = [](double x) { return 1 + x * (2 - 3 * x); };
  EXPECT_LT(error_of(tabulated(axis_of(5), Interpolation::linear, line), line), 1e-15);
  EXPECT_LT(error_of(tabulated(axis_of(2), Interpolation::cubic, line), line), 1e-15);
  EXPECT_LT(error_of(tabulated(axis_of(3), Interpolation::cubic, parabola), parabola), 1e-15);
  for (const int count : {4, 5, 9})
    EXPECT_LT(error_of(tabulated(axis_of(count), Interpolation::cubic, cubic), cubic), 4e-15);
  const auto product = [&](double x, double y) { return cubic(x) * (2 - y * y * y); };
  const TabulatedFunction two = tabulated(axis_of(6), axis_of(4), Interpolation::cubic, product);
  EXPECT_NEAR(two(0.37, 0.81), product(0.37, 0.81), 4e-15);
  const auto bilinear = [](double x, double y) { return 1 + 2 * x - y + 3 * x * y; };
  EXPECT_NEAR(tabulated(axis_of(3), axis_of(4), Interpolation::linear, bilinear)(0.37, 0.81), bilinear(0.37, 0.81),
              1e-15);
}

TEST(TabulatedFunction, ConvergesWithOrderTwoAndFour) {
  const auto f = [](double x) { return std::sin(5 * x); };
  const auto order = [&](Interpolation interpolation) {
    return std::log2(error_of(tabulated(axis_of(41), interpolation, f), f) /
                     error_of(tabulated(axis_of(81), interpolation, f), f));
  };
  EXPECT_NEAR(order(Interpolation::linear), 2, 0.1);
  EXPECT_NEAR(order(Interpolation::cubic), 4, 0.3);
}

TEST(TabulatedFunction, OfAPeriodHasSmoothSeams) {
  const auto f = [](double x) { return std::cos(2 * std::numbers::pi * x); };
  GridAxis axis = axis_of(33, Outside::periodic);
  std::vector<double> values;
  for (const double at : axis.at) values.push_back(f(at));
  values.back() = values.front();
  const TabulatedFunction function({axis}, values, Interpolation::cubic);
  for (const double at : {0.1, 0.7, 0.999}) {
    EXPECT_NEAR(function(at), f(at), 2e-5);
    EXPECT_NEAR(function(at + 12), function(at), 1e-13);
    EXPECT_NEAR(function(at - 3), function(at), 1e-13);
  }
  constexpr double h = 1e-4;
  EXPECT_NEAR((function(h) - function(-h)) / (2 * h), 0, 1e-4);
  const double kink =
      (function(2 * h) - 2 * function(h) + function(0)) - (function(0) - 2 * function(-h) + function(-2 * h));
  EXPECT_LT(std::abs(kink) / (h * h), 1);  // of second derivatives of 39
  EXPECT_EQ(TabulatedFunction({{"t", {0, 2}, Outside::periodic}}, {5, 5}, Interpolation::cubic)(1.3), 5);
}

TEST(TabulatedFunction, EndsAsAsked) {
  const auto f = [](double x) { return 1 + x; };
  const TabulatedFunction ends = tabulated(axis_of(5), Interpolation::linear, f),
                          holds = tabulated(axis_of(5, Outside::hold), Interpolation::cubic, f);
  EXPECT_EQ(holds(-1), 1);
  EXPECT_EQ(holds(7), 2);
  EXPECT_FALSE(ends.fault(1));
  EXPECT_TRUE(std::isnan(ends(1.5)));
  EXPECT_EQ(ends.fault(1.5), "`time` is 1.5, beyond its table from 0 to 1");
  EXPECT_TRUE(holds.fault(std::nan("")));
  const TabulatedFunction two({{"t", {0, 1}, Outside::periodic}, {"y", {2, 3}, Outside::error}}, {1, 2, 1, 2},
                              Interpolation::linear);
  EXPECT_EQ(two(5.5, 2.5), 1.5);
  EXPECT_EQ(two.fault(5.5, 1), "`y` is 1, beyond its table from 2 to 3");
}

}  // namespace
}  // namespace solenoid
