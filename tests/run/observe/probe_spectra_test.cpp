/// Spectra of probes: their integral is the variance, their peak the frequency.
#include "run/observe/probe_spectra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"

namespace solenoid::test {
namespace {

double integral_of(const Spectrum& spectrum) {
  return spectrum.interval * std::accumulate(spectrum.density.begin(), spectrum.density.end(), 0.0);
}

TEST(ProbeSpectra, OfASineIsItsVarianceAtItsFrequency) {
  std::vector<double> samples;
  for (int i = 0; i < 5000; ++i) samples.push_back(7 + 3 * std::sin(2 * std::numbers::pi * 0.2 * (0.1 * i)));
  const Spectrum spectrum = spectrum_of(samples, 0.1);
  ASSERT_EQ(spectrum.density.size(), 513);
  EXPECT_DOUBLE_EQ(spectrum.interval, 1 / (1024 * 0.1));
  EXPECT_NEAR(integral_of(spectrum), 4.5, 0.01);
  const auto peak = std::max_element(spectrum.density.begin(), spectrum.density.end()) - spectrum.density.begin();
  EXPECT_NEAR(static_cast<double>(peak) * spectrum.interval, 0.2, spectrum.interval / 2);
}

/// With a window of 16 values, by the sums of the definition.
TEST(ProbeSpectra, IsTheMeanOverSegments) {
  std::vector<double> samples;
  for (int i = 0; i < 70; ++i) samples.push_back(std::sin(0.3 * i * i) + i);
  const Spectrum spectrum = spectrum_of(samples, 0.5);
  std::vector<double> expected(9, 0);
  double segments = 0;
  for (int at = 0; at + 16 <= 70; at += 8, ++segments) {
    const double mean = std::accumulate(samples.begin() + at, samples.begin() + at + 16, 0.0) / 16;
    for (int k = 0; k <= 8; ++k) {
      double real_part = 0, imaginary = 0, squares = 0;
      for (int i = 0; i < 16; ++i) {
        const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * i / 16),
                     angle = 2 * std::numbers::pi * k * i / 16;
        real_part += window * (samples[static_cast<std::size_t>(at + i)] - mean) * std::cos(angle);
        imaginary += window * (samples[static_cast<std::size_t>(at + i)] - mean) * std::sin(angle);
        squares += window * window;
      }
      expected[static_cast<std::size_t>(k)] +=
          (k == 0 || k == 8 ? 1 : 2) * 0.5 * (real_part * real_part + imaginary * imaginary) / squares;
    }
  }
  ASSERT_EQ(spectrum.density.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(spectrum.density[k], expected[k] / segments, 1e-10);
}

TEST(ProbeSpectra, NeedSamples) { EXPECT_THROW(spectrum_of(std::vector<double>(63, 1), 1), Error); }

}  // namespace
}  // namespace solenoid::test
