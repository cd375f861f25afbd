/// Random eddies: the statistics of the turbulence that they stand for.
#include "physics/flow/boundary/eddy_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr real pi = std::numbers::pi_v<real>;
constexpr real far = std::numeric_limits<real>::infinity();
const EddyAxes along_axes{{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, {0, 0}};

EddyField::Value value_at(const EddyField& field, const Vec3& x, real drift = 0, real from_rim = far,
                          const Vec3& away = {}) {
  return field.at(std::array{EddyField::Place{x, from_rim, away}}, drift)[0];
}

/// Velocities along a line through `start` in the direction of `step`.
std::vector<Vec3> on_line(const EddyField& field, const Vec3& start, const Vec3& step, int count) {
  std::vector<EddyField::Place> places;
  std::vector<Vec3> velocities;
  for (int i = 0; i < count; ++i) places.push_back({start + static_cast<real>(i) * step, far, {}});
  for (const EddyField::Value& value : field.at(places, 0)) velocities.push_back(value.velocity);
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

/// Also beside a rim, here x = 0.
TEST(EddyField, TheVelocityIsTheCurlOfThePotential) {
  const EddyField field(along_axes, 0.3, 0.1, 5);
  constexpr real h = 1e-5;
  for (const bool has_rim : {false, true}) {
    for (const Vec3& x : {Vec3{0.1, 0.2, 0.3}, Vec3{0.2, 2.2, 7.3}}) {
      const auto at = [&](const Vec3& y) { return value_at(field, y, 0, has_rim ? y.x : far, {1, 0, 0}); };
      const auto slope = [&](const Vec3& way) {
        return (at(x + h * way).potential - at(x - h * way).potential) / (2 * h);
      };
      const Vec3 dx = slope({1, 0, 0}), dy = slope({0, 1, 0}), dz = slope({0, 0, 1});
      const Vec3 curl{dy.z - dz.y, dz.x - dx.z, dx.y - dy.x};
      EXPECT_LT(norm(at(x).velocity - curl), 1e-7) << text_of_place(x);
    }
  }
  EXPECT_EQ(norm(value_at(field, {0, 2, 3}, 0, 0, {1, 0, 0}).velocity), 0);
}

/// Axes that are not those of space: velocities turn with them.
TEST(EddyField, ItDriftsAlongItsThirdAxisAndRepeatsItselfAlongTheOthers) {
  const EddyAxes axes{{Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}}, {2, 1.3}};
  const EddyField field(axes, 0.2, 0.05, 7);
  const Vec3 x{0.4, 0.1, 0.7};
  const EddyField::Value here = value_at(field, x);
  EXPECT_GT(norm(here.velocity), 0);
  for (const EddyField::Value& same : {value_at(field, x + Vec3{12.5, 0, 0}, 12.5), value_at(field, x + Vec3{0, 2, 0}),
                                       value_at(field, x - Vec3{0, 0, 1.3})}) {
    EXPECT_LT(norm(same.velocity - here.velocity), 1e-11);
    EXPECT_LT(norm(same.potential - here.potential), 1e-12);
  }
  EXPECT_GT(norm(value_at(field, x, 0.1).velocity - here.velocity), 1e-3);
}

/// The longest that the period carries: images are correlated by exp(-4) of the largest size alone.
TEST(EddyField, PeriodsLeaveTheStrength) {
  const EddyAxes axes{along_axes.axis, {1, 0}};
  const real longest = EddyField::longest(axes, 0.05);
  EXPECT_NEAR(longest, 0.25, 0.01);
  std::array<real, 3> square{};
  int count = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const EddyField field(axes, longest, 0.05, seed);
    for (int line = 0; line < 20; ++line) {
      for (const Vec3& u : on_line(field, {0, 3.1 * line, 1.7 * line}, {0.1, 0, 0}, 10)) {
        square[0] += u.x * u.x, square[1] += u.y * u.y, square[2] += u.z * u.z;
        ++count;
      }
    }
  }
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(square[k] / count, 1, 0.12) << k;
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

/// Von Karman's l of a field with an integral length, from the spectrum at k = 0, (2 / pi) L.
real l_of(real length, real smallest) {
  real low = smallest / 2, high = 10 * length;
  for (int k = 0; k < 60; ++k) {
    const real middle = (low + high) / 2;
    (spectrum(0, middle, smallest / middle) * pi / 2 < length ? low : high) = middle;
  }
  return high;
}

/// By segments with Hann's window (Welch 1967), in bands of a third of an octave or wider.
TEST(EddyField, ItHasTheSpectrumOfItsSizes_Long) {
  constexpr int count = 1024, segments = 800;
  constexpr real length = 1, smallest = 0.04, spacing = 0.08, width = 2 * pi / (count * spacing);
  const real l = l_of(length, smallest);
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
    EXPECT_NEAR(found / expected, 1, 0.1) << "k l = " << low * width * l;
  }
}

}  // namespace
}  // namespace solenoid::test
