/// Reichardt's law: its inverse, its limits on smooth and rough walls, and that it grows with the stress.
#include "physics/flow/momentum/reichardt_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace solenoid::test {
namespace {

/// From y+ to the Reynolds number and back, over twenty decades, for any grain.
TEST(ReichardtLaw, IsInverted) {
  for (const real roughness : {0.0, 1e-6, 1e-2, 0.3, 1.0, 10.0}) {
    const ReichardtLaw law{roughness};
    for (int k = -40; k <= 40; ++k) {
      const real y = std::pow(real{10}, static_cast<real>(k) / 4);
      EXPECT_NEAR(law.y_plus(law.at(y).velocity * y), y, 1e-12 * y) << roughness << " " << y;
    }
  }
}

/// As it stands in the paper, with the buffer layer's 11 and .33.
TEST(ReichardtLaw, IsTheFormulaOfThePaper) {
  for (const real y : {0.5, 5.0, 11.0, 30.0, 300.0}) {
    const real expected = std::log(1 + 0.41 * y) / 0.41 + 7.8 * (1 - std::exp(-y / 11) - y / 11 * std::exp(-0.33 * y));
    EXPECT_NEAR(ReichardtLaw{}.at(y).velocity, expected, 1e-13 * expected);
  }
}

TEST(ReichardtLaw, GoesOverIntoTheSublayer) {
  for (const real y : {1e-10, 1e-6, 1e-3, 1.0}) {
    EXPECT_NEAR(ReichardtLaw{}.at(y).velocity, y, 0.03 * y * y + 1e-15 * y) << y;
  }
  EXPECT_NEAR(ReichardtLaw{}.y_plus(1e-24), 1e-12, 1e-24);  // u y / nu = y+^2
  EXPECT_EQ(ReichardtLaw{}.y_plus(0), 0);
}

/// ln(y+) / kappa + 5.63 of smooth walls, ln(y / k) / kappa + 8.5 of rough ones.
TEST(ReichardtLaw, GoesOverIntoTheLogLaws) {
  constexpr real kappa = ReichardtLaw::kappa, y = 1e7;
  EXPECT_NEAR(ReichardtLaw{}.at(y).velocity, std::log(y) / kappa + 7.8 + std::log(kappa) / kappa, 1e-5);
  EXPECT_NEAR(ReichardtLaw{1e-3}.at(y).velocity, std::log(1e3) / kappa + 8.5, 6e-3);
  const real shift = ReichardtLaw{}.at(1e4).velocity - ReichardtLaw{1e-3}.at(1e4).velocity;  // k+ = 10
  EXPECT_NEAR(shift, std::log(1 + 10 / 3.25) / kappa, 1e-2);
}

/// The speed grows with u_tau for a given grain, so that there is one stress; and the slope is its derivative.
TEST(ReichardtLaw, GrowsAndHasItsSlope) {
  for (const real roughness : {0.0, 0.1, 2.0}) {
    const ReichardtLaw law{roughness};
    for (int k = -16; k <= 24; ++k) {
      const real y = std::pow(real{10}, static_cast<real>(k) / 4), h = 1e-5 * y;
      const real slope = (law.at(y + h).velocity - law.at(y - h).velocity) / (2 * h);
      EXPECT_GT(law.at(y).slope, 0);
      EXPECT_NEAR(law.at(y).slope, slope, 1e-6 * slope + 1e-10 * law.at(y).velocity / y) << roughness << " " << y;
    }
  }
}

}  // namespace
}  // namespace solenoid::test
