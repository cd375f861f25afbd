#include "physics/waves/irregular_sea.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random_numbers.hpp"

namespace solenoid {

namespace {

constexpr real pi = std::numbers::pi_v<real>;

/// The inverse of the integral of a function >= 0 between two bounds, by the trapezoidal rule.
template <class Function>
class Quantiles {
 public:
  Quantiles(real from, real to, Function f) : from_(from), step_((to - from) / intervals) {
    for (int i = 0; i < intervals; ++i) {
      sums_.push_back(sums_.back() + (f(from + i * step_) + f(from + (i + 1) * step_)) / 2);
    }
  }
  /// Below which this share of the integral lies.
  real at(double share) const {
    const double wanted = share * sums_.back();
    const auto after = std::clamp(std::upper_bound(sums_.begin(), sums_.end(), wanted) - sums_.begin(),
                                  std::ptrdiff_t{1}, std::ptrdiff_t{intervals});
    const auto i = static_cast<std::size_t>(after - 1);
    const double part = sums_[i + 1] > sums_[i] ? (wanted - sums_[i]) / (sums_[i + 1] - sums_[i]) : 0;
    return from_ + (static_cast<real>(i) + static_cast<real>(part)) * step_;
  }

 private:
  static constexpr int intervals = 4000;
  real from_, step_;
  std::vector<double> sums_{0};
};

}  // namespace

real relative_spectrum(const IrregularSea& sea, real frequency) {
  const real ratio = sea.frequency / frequency, width = frequency <= sea.frequency ? real{0.07} : real{0.09},
             apart = (frequency / sea.frequency - 1) / width;
  return std::pow(ratio, 5) * std::exp(real{-1.25} * std::pow(ratio, 4)) *
         std::pow(sea.peakedness, std::exp(-apart * apart / 2));
}

std::vector<IncomingWave> waves_of(const IrregularSea& sea) {
  constexpr real lowest = 0.5, highest = 2.5;  // over the peak's frequency
  const Quantiles frequencies(lowest * sea.frequency, highest * sea.frequency,
                              [&](real w) { return relative_spectrum(sea, w); });
  const Quantiles angles(-pi, pi, [&](real angle) { return std::pow(std::cos(angle / 2), 2 * sea.spreading); });
  const int count = sea.components;
  const real amplitude = sea.height / 4 * std::sqrt(2 / static_cast<real>(count));  // each has amplitude^2 / 2
  RandomNumbers chance(sea.seed);
  std::vector<IncomingWave> waves;
  for (int i = 0; i < count; ++i) {
    const real frequency = frequencies.at((i + chance.next()) / count);
    const double share = chance.next();
    const real angle = sea.direction + (sea.spreading > 0 ? angles.at(share) : 0);
    waves.push_back(
        {amplitude, frequency, {std::cos(angle), std::sin(angle), 0}, 2 * pi * static_cast<real>(chance.next())});
  }
  return waves;
}

}  // namespace solenoid
