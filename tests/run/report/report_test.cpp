/// What the report of a run is made of: charts of long curves, texts, points of pictures, figures of the mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/quality.hpp"
#include "model/point_sampler.hpp"
#include "run/report/chart.hpp"
#include "run/report/page.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

using namespace report;

TEST(Report, KeepsTheExtremesOfLongCurves) {
  Curve curve{"a", {}, {}};
  for (int k = 0; k < 100000; ++k) {
    curve.x.push_back(k);
    curve.y.push_back(std::sin(0.001 * k));
  }
  curve.y[12345] = 7;
  curve.y[54321] = -7;
  const Curve shown = thinned(curve, 100);
  EXPECT_LE(shown.x.size(), 400u);
  EXPECT_EQ(std::count(shown.y.begin(), shown.y.end(), 7), 1);
  EXPECT_EQ(std::count(shown.y.begin(), shown.y.end(), -7), 1);
  EXPECT_TRUE(std::is_sorted(shown.x.begin(), shown.x.end()));
  EXPECT_EQ(shown.x.front(), 0);
  EXPECT_EQ(shown.x.back(), 99999);
  EXPECT_EQ(thinned(curve, 25000).x.size(), curve.x.size());
}

TEST(Report, ChartsHaveGapsWhereNoValueIs) {
  const double none = std::nan("");
  const std::string chart = chart_of({"a < b", "x", "y"}, {{"c", {0, 1, 2, 3, 4}, {1, 2, none, 4, 5}}});
  EXPECT_NE(chart.find("a &lt; b"), std::string::npos);
  EXPECT_NE(chart.find("<polyline"), chart.rfind("<polyline"));
  EXPECT_EQ(chart.find("nan"), std::string::npos);
  EXPECT_EQ(chart_of({"", "", ""}, {{"c", {0, 1}, {none, none}}}), "");
  EXPECT_EQ(chart_of({"", "", ""}, {{"c", {0, 1}, {0, -1}}}, Scale::logarithmic), "");
  EXPECT_NE(chart_of({"", "", ""}, {{"c", {0, 1}, {1e-9, 1e-3}}}, Scale::logarithmic).find(">-6</tspan>"),
            std::string::npos);
  EXPECT_NE(chart_of({"", "", ""}, {{"c", {0, 1}, {5, 5}}}).find("<polyline"), std::string::npos);
}

TEST(Report, ChartsCutOffWhatFlattensAllElse) {
  Curve force{"f", {}, {}};
  for (int k = 0; k < 200; ++k) {
    force.x.push_back(k);
    force.y.push_back(k == 0 ? 1000 : 1 + 0.1 * std::sin(k));
  }
  EXPECT_NE(chart_of({"", "", ""}, {force}).find(">0.95<"), std::string::npos);
  force.is_dots = true;  // single values are all shown
  EXPECT_NE(chart_of({"", "", ""}, {force}).find(">1000<"), std::string::npos);
}

TEST(Report, ShowsAnyTextAsItIs) {
  EXPECT_EQ(escaped("<a href=\"x\">&'\x1b"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\\x1b");
  EXPECT_EQ(typeset("m^2/s^3 < 1"), "m²/s³ &lt; 1");
}

TEST(Report, PointsOfAPictureMayLieOutsideTheMesh) {
  const Comm comm;
  const auto mesh = make_mesh(comm, square_with_hole(9));
  std::vector<Vec3> points;
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 40; ++column) points.push_back({(column - 4.4) / 31, (row - 4.6) / 31, 0});
  }
  const PointSampler sampler(*mesh, points);
  std::vector<real> x_of_nodes;
  for (const int n : sampler.nodes()) x_of_nodes.push_back(mesh->part().points[n].x);
  const std::vector<real> found = sampler.linear(x_of_nodes);
  std::vector<real> ones(mesh->owned<Cell>(), 1);
  const std::vector<real> inside = sampler.in_cells(ones);
  const auto is_between = [](const Vec3& p, real low, real high) {
    return p.x > low && p.x < high && p.y > low && p.y < high;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_inside = is_between(points[i], 0, 1) && !is_between(points[i], real(1) / 3, real(2) / 3);
    EXPECT_EQ(sampler.is_inside()[i] != 0, is_inside);
    EXPECT_EQ(inside[i], is_inside ? 1 : 0);
    EXPECT_NEAR(found[i], is_inside ? points[i].x : 0, 1e-12);
  }
}

TEST(Report, QualityIsThatOfTheWholeMesh) {
  for (const MeshSource& source : {unit_square(8, 0.3), unit_cube(3, 0.2)}) {
    const auto whole = quality_of(*make_mesh(alone(), source)), shared = quality_of(*make_mesh(Comm(), source));
    ASSERT_EQ(shared.size(), whole.size());
    for (std::size_t k = 0; k < shared.size(); ++k) {
      EXPECT_EQ(shared[k].worst, whole[k].worst) << shared[k].measure.name;
      EXPECT_NEAR(shared[k].mean, whole[k].mean, 1e-12 * std::abs(whole[k].mean));
      EXPECT_EQ(shared[k].beyond, whole[k].beyond);
      EXPECT_TRUE(shared[k].measure.is_worse(shared[k].worst, shared[k].measure.ideal));
    }
  }
}

}  // namespace
}  // namespace solenoid::test
