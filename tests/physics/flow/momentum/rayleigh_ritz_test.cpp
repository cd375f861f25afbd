/// The best combination of a few directions.
#include "physics/flow/momentum/rayleigh_ritz.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace solenoid::test {
namespace {

TEST(RayleighRitz, TheLargestOfAKnownPencil) {
  // (A, B) = (1 2; 2 1), (2 0; 0 2) has 3/2 along (1, 1).
  const Products A{{{1, 0, 0}, {2, 1, 0}, {0, 0, 0}}}, B{{{2, 0, 0}, {0, 2, 0}, {0, 0, 0}}};
  const auto c = largest_combination(A, B, 2);
  ASSERT_TRUE(c.has_value());
  EXPECT_NEAR((*c)[0], (*c)[1], 1e-14);
  EXPECT_NEAR(std::abs((*c)[0]), 0.5, 1e-14);
  EXPECT_EQ((*c)[2], 0);
}

TEST(RayleighRitz, NoneOfDirectionsThatDepend) {
  const Products A{{{1, 0, 0}, {1, 1, 0}, {0, 0, 1}}}, B{{{1, 0, 0}, {1, 1, 0}, {0, 0, 1}}};
  EXPECT_FALSE(largest_combination(A, B, 3).has_value());
  const Products negative{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  EXPECT_FALSE(largest_combination(A, negative, 2).has_value());
}

}  // namespace
}  // namespace solenoid::test
