/// Units taken apart, and given functions as other frames show them.
#include "model/frame.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace solenoid::test {
namespace {

TEST(Frame, UnitsAreTakenApart) {
  EXPECT_EQ(dimension_of("m^2/s^2"), (Dimension{.metre = 2, .second = -2}));
  EXPECT_EQ(dimension_of("W/(m^2 K)"), (Dimension{.second = -3, .kilogram = 1, .kelvin = -1}));
  EXPECT_EQ(dimension_of("J/(m^3 K)"), (Dimension{.metre = -1, .second = -2, .kilogram = 1, .kelvin = -1}));
  EXPECT_EQ(dimension_of("m^2/s^2 m"), (Dimension{.metre = 3, .second = -2}));
  EXPECT_EQ(dimension_of("1/s"), (Dimension{.second = -1}));
  EXPECT_EQ(dimension_of("-"), Dimension{});
  EXPECT_EQ(dimension_of(""), Dimension{});
  EXPECT_EQ(dimension_of("(m/s)^2"), (Dimension{.metre = 2, .second = -2}));
  EXPECT_EQ(dimension_of("(m^2/(s K))^2 kg"), (Dimension{.metre = 4, .second = -2, .kilogram = 1, .kelvin = -2}));
  for (const char* unit : {"ft/s", "m^x", "m^", "m)", "m/"}) {
    EXPECT_THROW(dimension_of(unit), Error) << unit;
  }
}

TEST(Frame, GivenFunctionsAreSeenInOtherUnits) {
  const Frame frame = Frame::of_units(3, -2);
  const auto before = Coefficient<real>::of_place_and_time([](const Vec3& x, real t) { return x.x + 10 * t; });
  EXPECT_EQ(frame.seen(before, "m/s").at(frame.place({1, 2, 3}), real{0.25}), 32 * (1 + 10));
  EXPECT_EQ(frame.factor("m/s"), 32);
  EXPECT_EQ(frame.place_before(frame.place({1, 2, 3})).z, 3);
}

TEST(Frame, DirectionsTurnWithTheAxes) {
  const Frame turn = Frame::of_axes({1, 0, 2}, {-1, 1, 1}), mirror = Frame::of_axes({0, 1, 2}, {-1, 1, 1});
  const Vec3 seen = turn.turned({1, 2, 3});
  EXPECT_EQ(seen.x, -2);
  EXPECT_EQ(seen.y, 1);
  EXPECT_EQ(turn.turned_back(seen).x, 1);
  EXPECT_EQ(turn.turned_back(seen).y, 2);
  EXPECT_FALSE(turn.mirrors());
  EXPECT_TRUE(mirror.mirrors());
  const auto swirl = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{-x.y, x.x, 0}; });
  const Vec3 there = turn.seen(swirl, "m/s").at(turn.place({1, 2, 0}), 0);  // it looks the same from all sides
  EXPECT_EQ(there.x, -turn.place({1, 2, 0}).y);
  EXPECT_EQ(there.y, turn.place({1, 2, 0}).x);
}

}  // namespace
}  // namespace solenoid::test
