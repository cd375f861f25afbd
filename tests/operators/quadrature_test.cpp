/// Quadrature on simplices against the integrals of quadratics.
#include "operators/p1.hpp"

#include <gtest/gtest.h>

namespace solenoid::test {
namespace {

/// The mean over a simplex of d dimensions is 1/(d+1) for a barycentric coordinate and (1 + delta_ij)/((d+1)(d+2)) for
/// the product of two.
TEST(Quadrature, IsExactForQuadratics) {
  for (const int corners : {2, 3, 4}) {
    for (int i = 0; i < corners; ++i) {
      for (int j = 0; j < corners; ++j) {
        real volume = 0, first = 0, second = 0;
        for (const QuadraturePoint& point : quadrature(corners)) {
          volume += point.weight;
          first += point.weight * point.barycentric[i];
          second += point.weight * point.barycentric[i] * point.barycentric[j];
        }
        EXPECT_NEAR(volume, 1, 1e-15);
        EXPECT_NEAR(first, real{1} / corners, 1e-15);
        EXPECT_NEAR(second, (i == j ? 2.0 : 1.0) / (corners * (corners + 1)), 1e-15) << corners << " corners";
      }
    }
  }
}

TEST(Quadrature, PutsItsPointsIntoTheSimplex) {
  const std::vector<Vec3> points{{1, 0, 0}, {3, 0, 0}, {1, 4, 0}, {1, 0, 6}};
  const std::vector<int> corners{0, 1, 2, 3};
  Vec3 mean;
  for (const QuadraturePoint& point : quadrature(4)) mean += point.weight * point.in(points, corners);
  EXPECT_LE(norm(mean - Vec3{1.5, 1, 1.5}), 1e-14);
}

}  // namespace
}  // namespace solenoid::test
