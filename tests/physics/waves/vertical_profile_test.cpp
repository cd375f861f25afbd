/// Vertical structure of water waves: its integrals, and the model's dispersion beside the exact one.
#include "physics/waves/vertical_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "support/values.hpp"

namespace solenoid::test {
namespace {

Sea tuned_to(real number, real depth, VerticalProfile profile = VerticalProfile::cosh) {
  Sea sea;
  sea.profile = profile;
  sea.frequency = std::sqrt(sea.gravity * number * std::tanh(number * depth));
  return sea;
}

TEST(VerticalProfile, FindsTheWaveNumber) {
  for (const real depth : {0.01, 1.0, 5000.0}) {
    for (const real q : {1e-6, 0.01, 0.5, 1.0, 3.0, 30.0, 2000.0}) {
      const real k = q / depth, w = std::sqrt(9.81 * k * std::tanh(q));
      EXPECT_NEAR(wave_number(w, depth, 9.81) / k, 1, 1e-12) << depth << " " << q;
    }
  }
}

/// By the midpoint rule, and by the series in very shallow water.
TEST(VerticalProfile, ItsIntegralsAreThoseOfTheFunction) {
  constexpr real h = 2.3;
  for (const real q : {0.02, 0.029999, 0.030001, 0.5, 2.5, 12.0}) {
    const real k = q / h;
    const auto f = [&](real z) { return (std::cosh(k * (z + h)) - std::cosh(q)) / (k * std::sinh(q)); };
    const auto slope = [&](real z) { return std::sinh(k * (z + h)) / std::sinh(q); };
    ProfileIntegrals sum;
    constexpr int count = 20000;
    for (int i = 0; i < count; ++i) {
      const real z = -h * (i + real{0.5}) / count;
      sum.mean -= f(z) * h / count, sum.square += f(z) * f(z) * h / count;
      sum.curvature += slope(z) * slope(z) * h / count;
    }
    const ProfileIntegrals found = integrals_of(tuned_to(k, h), h);
    EXPECT_NEAR(found.mean / sum.mean, 1, 1e-6) << q;
    EXPECT_NEAR(found.square / sum.square, 1, 1e-6) << q;
    EXPECT_NEAR(found.curvature / sum.curvature, 1, 1e-6) << q;
  }
  const ProfileIntegrals deep = integrals_of(tuned_to(1, 2000), 2000);
  EXPECT_NEAR(deep.mean, 1999, 1e-9);
  EXPECT_NEAR(deep.curvature, 0.5, 1e-12);
}

/// Error of the phase speed over the exact one [%].
real error_at(real q, const ProfileIntegrals& of) {
  return 100 * (model_frequency(q, 1, 9.81, of) / std::sqrt(9.81 * q * std::tanh(q)) - 1);
}

TEST(VerticalProfile, HasTheDispersionOfTheModel) {
  const ProfileIntegrals parabola = integrals_of(tuned_to(1, 1, VerticalProfile::parabolic), 1);
  for (const auto& [q, percent] :
       {std::pair{0.5, 0.0004}, std::pair{1.0, 0.0204}, std::pair{2.0, 0.5344}, std::pair{5.0, 10.1014}}) {
    EXPECT_NEAR(error_at(q, parabola), percent, 6e-5) << q;
  }
  const ProfileIntegrals tuned = integrals_of(tuned_to(2, 1), 1);
  for (const auto& [q, percent] : {std::pair{0.5, 0.07}, std::pair{1.0, 0.132}, std::pair{3.0, 0.559}}) {
    EXPECT_NEAR(error_at(q, tuned), percent, 6e-4) << q;
  }
  EXPECT_NEAR(error_at(2, tuned), 0, 1e-12);
}

TEST(VerticalProfile, AWaveOfTheModelHasItsNumber) {
  for (const real tuned : {0.3, 2.0, 6.0}) {
    const Sea sea = tuned_to(tuned, 1);
    const ProfileIntegrals of = integrals_of(sea, 1);
    EXPECT_NEAR(model_wave(sea.frequency, 1, sea.gravity, of).number, tuned, 1e-12);
    for (const real q : {0.01, 0.5, 1.0, 3.0, 8.0}) {
      const real w = model_frequency(q, 1, sea.gravity, of);
      const ModelWave wave = model_wave(w, 1, sea.gravity, of);
      EXPECT_NEAR(wave.number / q, 1, 1e-11) << tuned << " " << q;
      EXPECT_NEAR(wave.speed, w / q, 1e-10);
    }
  }
}

TEST(VerticalProfile, WavesOnACurrentKeepTheirFrequencyAtAPlace) {
  for (const real depth : {0.5, 5.0, 50.0}) {
    const Sea sea{9.81, 1.2};
    const ProfileIntegrals of = integrals_of(sea, depth);
    for (const real along : {-0.5, -0.05, 0.05, 0.5, 2.0}) {
      const ModelWave wave = wave_on_current(1.2, along, depth, 9.81, of).value();
      EXPECT_NEAR(wave.number * along + model_frequency(wave.number, depth, 9.81, of), 1.2, 1e-12);
      EXPECT_NEAR(wave.speed, model_frequency(wave.number, depth, 9.81, of) / wave.number, 1e-11);
      const ModelWave still = model_wave(1.2, depth, 9.81, of);
      EXPECT_EQ(wave.number<still.number, along> 0);
      const ModelWave same = model_wave(wave.number * wave.speed, depth, 9.81, of);  // seen by who moves along
      EXPECT_NEAR(wave.ratio / same.ratio, 1, 1e-10);
    }
    EXPECT_EQ(wave_on_current(1.2, 0, depth, 9.81, of)->number, model_wave(1.2, depth, 9.81, of).number);
    // against the group velocity of the shortest waves no wave holds its place
    EXPECT_FALSE(wave_on_current(1.2, -std::sqrt(9.81 * depth), depth, 9.81, of));
  }
}

}  // namespace
}  // namespace solenoid::test
