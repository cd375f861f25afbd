/// Random eddies: the statistics of the turbulence that they stand for.
#include "physics/flow/boundary/eddy_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr real pi = std::numbers::pi_v<real>;
const EddyAxes along_axes{{}, {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, {0, 0}};

/// Velocities along a line through `start` in the direction of `step`.
std::vector<Vec3> on_line(const EddyField& field, const Vec3& start, const Vec3& step, int count) {
  std::vector<Vec3> points, velocities;
  for (int i = 0; i < count; ++i) points.push_back(start + static_cast<real>(i) * step);
  for (const EddyField::Value& value : field.at(points, 0)) velocities.push_back(value.velocity);
  return velocities;
}

TEST(EddyField, ComponentsHaveTheSameStrengthAndNoCorrelation) {
  const EddyField field(along_axes, 0.1, 0.02, 3);
  std::array<real, 3> square{}, mixed{};
  int count = 0;
  for (int line = 0; line < 40; ++line) {
    for (const Vec3& u : on_line(field, {0, 3.1 * line, -2.3 * line}, {0.23, 0, 0}, 500)) {
      square[0] += u.x * u.x, square[1] += u.y * u.y, square[2] += u.z * u.z;
      mixed[0] += u.x * u.y, mixed[1] += u.y * u.z, mixed[2] += u.z * u.x;
      ++count;
    }
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(square[k] / count, 1, 0.04) << k;
    EXPECT_NEAR(mixed[k] / count, 0, 0.03) << k;
  }
}

TEST(EddyField, TheVelocityIsTheCurlOfThePotential) {
  const EddyField field(along_axes, 0.3, 0.1, 5);
  constexpr real h = 1e-5;
  for (const Vec3& x : {Vec3{0.1, 0.2, 0.3}, Vec3{-4.1, 2.2, 7.3}}) {
    const auto slope = [&](const Vec3& way) {
      const auto values = field.at(std::array{x + h * way, x - h * way}, 0);
      return (values[0].potential - values[1].potential) / (2 * h);
    };
    const Vec3 dx = slope({1, 0, 0}), dy = slope({0, 1, 0}), dz = slope({0, 0, 1});
    const Vec3 u = field.at(std::array{x}, 0)[0].velocity, curl{dy.z - dz.y, dz.x - dx.z, dx.y - dy.x};
    EXPECT_LT(norm(u - curl), 1e-7) << text_of_place(x);
  }
}

/// Axes that are not those of space: velocities turn with them.
TEST(EddyField, ItDriftsAlongItsThirdAxisAndRepeatsItselfAlongTheOthers) {
  const EddyAxes axes{{1, 2, 3}, {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}}, {2, 1.3}};
  const EddyField field(axes, 0.2, 0.05, 7);
  const Vec3 x{0.4, 0.1, 0.7};
  const auto at = [&](const Vec3& y, real drift) { return field.at(std::array{y}, drift)[0]; };
  const EddyField::Value here = at(x, 0);
  EXPECT_GT(norm(here.velocity), 0);
  for (const EddyField::Value& same :
       {at(x + Vec3{12.5, 0, 0}, 12.5), at(x + Vec3{0, 2, 0}, 0), at(x - Vec3{0, 0, 1.3}, 0)}) {
    EXPECT_LT(norm(same.velocity - here.velocity), 1e-11);
    EXPECT_LT(norm(same.potential - here.potential), 1e-12);
  }
  EXPECT_GT(norm(at(x, 0.1).velocity - here.velocity), 1e-3);
}

/// The one-dimensional spectrum of the component along the line, of eddies with Gauss's shape of all sizes s from
/// `smallest` l: (2 / sqrt(pi)) s exp(-k^2 s^2) of each, with the energy 3 exp(-y^3) dy at s = l y^(3/2).
real spectrum(real k, real l, real smallest) {
  constexpr int pieces = 2000;
  const real begin = std::cbrt(smallest * smallest), step = (3 - begin) / pieces;
  real energy = 0, sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const real y = begin + (static_cast<real>(i) + real{0.5}) * step, s = l * y * std::sqrt(y);
    energy += std::exp(-y * y * y);
    sum += std::exp(-y * y * y) * 2 / std::sqrt(pi) * s * std::exp(-k * k * s * s);
  }
  return sum / energy;
}

/// (2 / pi) L (1 + (k l)^2)^(-5/6), L = .7468 l.
real von_karman(real k, real l) { return 2 / pi * real{0.7468} * l * std::pow(1 + k * l * k * l, real{-5} / 6); }

TEST(EddyField, EddiesOfAllSizesHaveTheSpectrumOfVonKarman) {
  for (const real k : {0.01, 0.3, 1.0, 3.0, 10.0}) EXPECT_NEAR(spectrum(k, 1, 0) / von_karman(k, 1), 1, 2e-3) << k;
}

/// By segments with Hann's window (Welch 1967), in bands of a third of an octave or wider.
TEST(EddyField, ItHasTheSpectrumOfItsSizes) {
  constexpr int count = 1024, segments = 400;
  constexpr real length = 1, l = length / 0.7468, smallest = 0.04, spacing = 0.08, width = 2 * pi / (count * spacing);
  const EddyField field(along_axes, length, smallest, 11);
  std::vector<real> energy(count / 2, 0);
  real square = 0;
  for (int s = 0; s < segments; ++s) {
    const std::vector<Vec3> u = on_line(field, {0, 9.7 * s, 0}, {spacing, 0, 0}, count);
    for (const Vec3& v : u) square += v.x * v.x / (count * segments);
    for (int j = 1; j < 128; ++j) {
      std::complex<real> sum = 0, phase = 1;
      const std::complex<real> turn = std::polar<real>(1, -2 * pi * j / count);
      for (int i = 0; i < count; ++i, phase *= turn) {
        sum += phase * u[i].x * (1 - std::cos(2 * pi * i / count)) * std::sqrt(real{2} / 3);
      }
      energy[j] += 2 * std::norm(sum) / (real(count) * count * width * segments);
    }
  }
  EXPECT_NEAR(square, 1, 0.03);
  for (int low = 2; low < 100; low = std::max(low + 2, low * 5 / 4)) {
    const int high = std::max(low + 2, low * 5 / 4);
    real found = 0, expected = 0;
    for (int j = low; j < high; ++j) {
      found += energy[j];
      expected += spectrum(j * width, l, smallest / l);
    }
    EXPECT_NEAR(found / expected, 1, 0.08) << "k l = " << low * width * l;
  }
}

}  // namespace
}  // namespace solenoid::test
