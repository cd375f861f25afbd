/// Interpolation between points: linear functions exactly on any points, smooth ones with second order, the same bits
/// in any order of the points, and the fault of points that are in no plane.
#include "model/point_interpolation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "base/error.hpp"
#include "base/host_memory.hpp"

namespace solenoid::test {
namespace {

using Points = std::vector<PointInSpace>;
using Function = std::function<double(const PointInSpace&)>;

double value_at(const PointInterpolation& between, const Points& points, const Function& f, const PointInSpace& x) {
  const auto place = between.place_of({static_cast<real>(x[0]), static_cast<real>(x[1]), static_cast<real>(x[2])});
  const auto of = [&](int k) { return f(points[static_cast<std::size_t>(place.points[static_cast<std::size_t>(k)])]); };
  const double first = of(0);
  return first + place.shares[0] * (of(1) - first) + place.shares[1] * (of(2) - first);
}

/// A point of a plane that is inclined to all axes.
PointInSpace inclined(double u, double v) { return {3 + 0.6 * u - 0.48 * v, 0.8 * u + 0.36 * v, 0.8 * v - 2}; }

/// Points of a grid, or scattered, in the unit square of that plane.
Points grid(int n) {
  Points points;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) points.push_back(inclined(double(i) / n, double(j) / n));
  }
  return points;
}
Points scattered(int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  Points points{inclined(0, 0), inclined(1, 0), inclined(0, 1), inclined(1, 1)};
  for (int k = 0; k < count; ++k) points.push_back(inclined(share(random), share(random)));
  return points;
}

double largest_error(const Points& points, const Function& f, double inside = 0.02) {
  const PointInterpolation between(points, false);
  double error = 0;
  for (int i = 0; i <= 60; ++i) {
    for (int j = 0; j <= 60; ++j) {
      const double u = inside + (1 - 2 * inside) * i / 60, v = inside + (1 - 2 * inside) * j / 60;
      const PointInSpace x = inclined(u, v);
      EXPECT_FALSE(
          between.place_of({static_cast<real>(x[0]), static_cast<real>(x[1]), static_cast<real>(x[2])}).is_beyond);
      error = std::max(error, std::abs(value_at(between, points, f, x) - f(x)));
    }
  }
  return error;
}

const Function linear = [](const PointInSpace& x) { return 2 + 3 * x[0] - x[1] + 0.5 * x[2]; };
const Function quadratic = [](const PointInSpace& x) { return x[0] * x[0] - 2 * x[0] * x[1] + x[2] * x[2]; };

constexpr double close = sizeof(real) == 8 ? 1e-13 : 1e-5;

TEST(PointInterpolation, IsExactForLinearFunctionsOnAnyPoints) {
  for (const Points& points : {grid(1), grid(2), grid(17), scattered(1), scattered(5), scattered(400)}) {
    // the round-off of slender triangles, of numbers up to 10
    EXPECT_LT(largest_error(points, linear, 0), 200 * close) << points.size();
  }
  const Points along{{0, 0, 0}, {0.3, 0.6, 0.9}, {1, 2, 3}};  // on a line, in space
  const PointInterpolation between(along, false);
  EXPECT_NEAR(value_at(between, along, linear, {0.7, 1.4, 2.1}), linear({0.7, 1.4, 2.1}), close);
}

TEST(PointInterpolation, IsOfSecondOrder) {
  const double coarse = largest_error(grid(8), quadratic), fine = largest_error(grid(32), quadratic);
  EXPECT_GT(coarse, 1e-3);
  EXPECT_NEAR(coarse / fine, 16, 2);
}

/// Their triangles are long and thin, and cross each other's boxes.
TEST(PointInterpolation, TakesLittleMemoryForPointsOnTwoArcs) {
  constexpr int count = 20'000;
  const auto on_arc = [](double radius, double share) {
    return inclined(radius * std::cos(2.5 * share), radius * std::sin(2.5 * share));
  };
  Points points;
  for (int i = 0; i < count; ++i) {
    for (const double radius : {1.0, 1.2}) points.push_back(on_arc(radius, double(i) / (count - 1)));
  }
  [[maybe_unused]] const std::size_t before = host_bytes_in_use();
  const PointInterpolation between(points, false);
#ifndef SOLENOID_CHECKED  // the sanitizer keeps memory that is freed
  EXPECT_LE(static_cast<double>(host_bytes_in_use()) - static_cast<double>(before), 60e6);
#endif
  const Function inclined_plane = [](const PointInSpace& x) { return 3 * x[0] - x[1] + 2 * x[2]; };
  for (int i = 1; i < 200; ++i) {
    const PointInSpace x = on_arc(1.01 + 0.18 * (i % 7) / 7, i / 200.0);
    EXPECT_NEAR(value_at(between, points, inclined_plane, x), inclined_plane(x), 1e-6);
  }
}

TEST(PointInterpolation, DoesNotDependOnTheOrderOfThePoints) {
  Points points = scattered(300), others = points;
  std::shuffle(others.begin(), others.end(), std::mt19937(3));
  const PointInterpolation a(points, false), b(others, false);
  for (int k = -5; k < 30; ++k) {
    const PointInSpace x = inclined(0.04 * k, std::fmod(0.37 * k, 1.1));
    EXPECT_EQ(value_at(a, points, quadratic, x), value_at(b, others, quadratic, x));
  }
}

TEST(PointInterpolation, HasTheNearestPlaceBeyondThePoints) {
  const Points points = grid(4);
  const PointInterpolation between(points, false);
  for (const auto& [u, v, at_u, at_v] : {std::array{-0.5, 0.3, 0.0, 0.3}, std::array{1.2, 1.7, 1.0, 1.0}}) {
    const PointInSpace x = inclined(u, v);
    EXPECT_TRUE(
        between.place_of({static_cast<real>(x[0]), static_cast<real>(x[1]), static_cast<real>(x[2])}).is_beyond);
    EXPECT_NEAR(value_at(between, points, linear, x), linear(inclined(at_u, at_v)), 50 * close);
  }
}

TEST(PointInterpolation, FollowsACurveInTwoDimensions) {
  Points arc;
  for (int k = 0; k <= 200; ++k) arc.push_back({std::cos(0.01 * k - 1), std::sin(0.01 * k - 1), 0});
  const PointInterpolation between(arc, true);
  EXPECT_NEAR(value_at(between, arc, linear, {std::cos(0.333), std::sin(0.333), 0}),
              linear({std::cos(0.333), std::sin(0.333), 0}), 1e-4);
  EXPECT_TRUE(between.place_of({real(0.1), real(2), 0}).is_beyond);
}

std::string fault_of(const Points& points, bool along_curve) {
  try {
    PointInterpolation between(points, along_curve);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "";
}

/// Points of a line that are written with some digits, and so lie beside it.
TEST(PointInterpolation, FollowsALineThatIsRounded) {
  for (const double digits : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9}) {
    Points points;
    const auto rounded = [digits](double x) { return digits * std::round(x / digits); };
    for (int i = 0; i <= 100; ++i) {
      points.push_back({rounded(std::cos(0.6) * i / 100), rounded(std::sin(0.6) * i / 100), 0});
    }
    const PointInterpolation between(points, false);
    const auto along = [](const PointInSpace& x) { return std::cos(0.6) * x[0] + std::sin(0.6) * x[1]; };
    for (int i = 0; i <= 300; ++i) {
      const PointInSpace x{std::cos(0.6) * i / 300, std::sin(0.6) * i / 300, 0};
      EXPECT_NEAR(value_at(between, points, along, x), i / 300.0, 2 * digits + 1e-12) << digits;
    }
  }
}

TEST(PointInterpolation, TellsWhyPointsAreOfNoUse) {
  EXPECT_EQ(fault_of({}, false), "no points");
  Points bent = grid(4);
  bent.push_back({5, 5, 5});
  EXPECT_NE(fault_of(bent, false).find(" m off the plane of the points, which are "), std::string::npos);
  EXPECT_EQ(fault_of({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}}, false),
            "(1, 0, 0) and (1, 0, 0) are at the same place");
  EXPECT_EQ(fault_of({{0, 0, 0}, {0, 1, 0}, {0, 1, 0}}, true),
            "(0, 1, 0) and (0, 1, 0) are at the same place along the curve");
  Points zigzag;
  for (int k = 0; k < 20; ++k) zigzag.push_back({0.1 * k, k % 2 == 0 ? 0.0 : 1.0, 0});
  EXPECT_NE(fault_of(zigzag, true).find("do not follow one another along a curve"), std::string::npos);
}

TEST(PointInterpolation, HasNoPointInsideACircleOfItsTriangles) {
  std::mt19937 random(11);
  for (const std::int64_t largest : {std::int64_t{6}, std::int64_t{300}, delaunay_grid}) {
    std::uniform_int_distribution<std::int64_t> coordinate(0, largest);
    std::vector<GridPoint> points;
    for (int k = 0; k < 120; ++k) points.push_back({coordinate(random), coordinate(random)});
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    long double area = 0, hull = 0;
    for (const DelaunayTriangle& triangle : delaunay_triangles(points)) {
      const auto at = [&](int k) {
        return points[static_cast<std::size_t>(triangle.points[static_cast<std::size_t>(k)])];
      };
      const long double ax = at(0)[0], ay = at(0)[1], bx = at(1)[0] - ax, by = at(1)[1] - ay, cx = at(2)[0] - ax,
                        cy = at(2)[1] - ay, twice = bx * cy - by * cx;
      EXPECT_GT(twice, 0);
      area += twice;
      const long double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / (2 * twice),
                        uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / (2 * twice);
      for (const GridPoint& p : points) {
        const long double dx = p[0] - ax - ux, dy = p[1] - ay - uy;
        EXPECT_GE(dx * dx + dy * dy, (ux * ux + uy * uy) * (1 - 1e-12L));
      }
    }
    // the convex hull, by Andrew's chains
    for (const int way : {1, -1}) {
      std::vector<GridPoint> chain;
      for (std::size_t k = 0; k < points.size(); ++k) {
        const GridPoint& p = way > 0 ? points[k] : points[points.size() - 1 - k];
        const auto turns_left = [&] {
          const GridPoint &a = chain[chain.size() - 2], &b = chain.back();
          return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0;
        };
        while (chain.size() > 1 && !turns_left()) chain.pop_back();
        chain.push_back(p);
      }
      for (std::size_t k = 1; k < chain.size(); ++k) {
        hull += static_cast<long double>(chain[k - 1][0]) * chain[k][1] -
                static_cast<long double>(chain[k][0]) * chain[k - 1][1];
      }
    }
    EXPECT_NEAR(static_cast<double>(area / hull), 1, 1e-12);
  }
}

}  // namespace
}  // namespace solenoid::test
