/// Pictures as PNG.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "run/report/picture.hpp"

namespace solenoid::test {
namespace {

TEST(Png, HasItsSizeAndIsWhole) {
  const std::string png = report::png_of(3, {0, 1, 2, 2, 1, 0}, {{255, 255, 255}, {255, 0, 0}, {0, 0, 255}});
  EXPECT_EQ(png.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\3\0\0\0\2", 8));
  EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
  EXPECT_THROW(report::png_of(4, {0, 1, 2, 2, 1, 0}, {{0, 0, 0}}), Error);
}

}  // namespace
}  // namespace solenoid::test
