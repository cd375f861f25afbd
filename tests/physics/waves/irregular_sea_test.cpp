/// A sea from a spectrum: its height, shape, directions, and the same waves for the same seed.
#include "physics/waves/irregular_sea.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/values.hpp"

namespace solenoid::test {
namespace {

IrregularSea north_sea(int components) {
  IrregularSea sea;
  sea.height = 2.5;
  sea.frequency = 0.7;
  sea.components = components;
  return sea;
}

TEST(IrregularSea, HasItsSignificantHeight) {
  real energy = 0;
  for (const IncomingWave& wave : waves_of(north_sea(37))) energy += wave.amplitude * wave.amplitude / 2;
  EXPECT_NEAR(4 * std::sqrt(energy), 2.5, 1e-13);
}

/// The share of the waves below a frequency is that of the energy.
TEST(IrregularSea, HasTheSpectrum) {
  const IrregularSea sea = north_sea(4000);
  const std::vector<IncomingWave> waves = waves_of(sea);
  for (const real ratio : {0.8, 1.0, 1.2, 1.8}) {
    const auto energy = [&](real to) {
      constexpr int parts = 20000;
      const real from = 0.5 * sea.frequency, step = (to - from) / parts;
      real sum = 0;
      for (int i = 0; i < parts; ++i) sum += step * relative_spectrum(sea, from + (i + real{0.5}) * step);
      return sum;
    };
    real below = 0;
    for (const IncomingWave& wave : waves) below += wave.frequency < ratio * sea.frequency ? 1 : 0;
    EXPECT_NEAR(below / 4000, energy(ratio * sea.frequency) / energy(2.5 * sea.frequency), 1e-3) << ratio;
  }
  EXPECT_NEAR(relative_spectrum(sea, sea.frequency), 3.3 * std::exp(-1.25), 1e-12);
}

/// The mean of cos and sin of the angle is s / (s + 1) along the mean direction.
TEST(IrregularSea, SpreadsAroundItsDirection) {
  IrregularSea sea = north_sea(20000);
  sea.direction = 2;
  sea.spreading = 10;
  Vec3 mean{};
  for (const IncomingWave& wave : waves_of(sea)) {
    EXPECT_NEAR(norm(wave.direction), 1, 1e-14);
    mean = mean + wave.direction / 20000;
  }
  EXPECT_NEAR(mean.x, std::cos(2.0) * 10 / 11, 0.01);
  EXPECT_NEAR(mean.y, std::sin(2.0) * 10 / 11, 0.01);
  sea.spreading = 0;
  for (const IncomingWave& wave : waves_of(sea)) EXPECT_EQ(wave.direction.x, std::cos(real{2}));
}

TEST(IrregularSea, IsTheSameForTheSameSeed) {
  IrregularSea sea = north_sea(50);
  const std::vector<IncomingWave> once = waves_of(sea), again = waves_of(sea);
  sea.seed = 2;
  const std::vector<IncomingWave> other = waves_of(sea);
  int same = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].frequency, again[i].frequency);
    EXPECT_EQ(once[i].phase, again[i].phase);
    same += once[i].phase == other[i].phase;
  }
  EXPECT_EQ(same, 0);
  EXPECT_NEAR(once[0].frequency, 0.48284171432884726, 1e-12);  // of this seed on any machine
}

}  // namespace
}  // namespace solenoid::test
