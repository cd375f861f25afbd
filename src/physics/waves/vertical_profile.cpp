#include "physics/waves/vertical_profile.hpp"

#include <cmath>
#include <limits>

namespace solenoid {

namespace {

ProfileIntegrals parabolic(real depth) { return {depth * depth / 3, 2 * depth * depth * depth / 15, depth / 3}; }

}  // namespace

real wave_number(real frequency, real depth, real gravity) {
  const real deep = frequency * frequency / gravity, target = deep * depth;  // (k h) tanh(k h) = target
  real q = target > 1 ? target : std::sqrt(target);
  constexpr int most = 50;
  for (int i = 0; i < most; ++i) {
    const real t = std::tanh(q), change = (q * t - target) / (t + q * (1 - t * t));
    q -= change;
    if (std::abs(change) <= real{1e-15} * q) break;
  }
  return q / depth;
}

/// f = (cosh k(z + h) - cosh q) / (k sinh q), q = k h; for small q a series about the parabola.
ProfileIntegrals integrals_of(const Sea& sea, real depth) {
  constexpr real small = 0.03;
  ProfileIntegrals of = parabolic(depth);
  if (sea.profile == VerticalProfile::parabolic) return of;
  const real k = wave_number(sea.frequency, depth, sea.gravity), q = k * depth;
  if (q < small) {
    const real q2 = q * q;
    of.mean *= 1 - q2 / 15, of.square *= 1 - q2 / 7, of.curvature *= 1 - 2 * q2 / 15;
    return of;
  }
  const real t = std::tanh(q), s = 1 / std::sinh(q), s2 = s * s;  // s is 0 in very deep water
  const real c2 = 1 / (t * t);                                    // (cosh / sinh)^2
  of.mean = depth / (k * t) - 1 / (k * k);
  of.square = (depth * s2 / 2 + c2 * depth - real{1.5} / (k * t)) / (k * k);
  of.curvature = 1 / (2 * k * t) - depth * s2 / 2;
  return of;
}

namespace {

/// gamma of the wave with k^2.
real ratio_of_fluxes(real squared, real depth, const ProfileIntegrals& of) {
  const real r = squared * of.mean / (of.curvature + of.square * squared);
  return (of.mean - of.square * r) / (depth - of.mean * r);
}

}  // namespace

ModelWave model_wave(real frequency, real depth, real gravity, const ProfileIntegrals& of) {
  const real w2 = frequency * frequency / gravity;
  // a K^2 + b K - c = 0 for K = k^2
  const real a = depth * of.square - of.mean * of.mean, b = depth * of.curvature - w2 * of.square,
             c = w2 * of.curvature;
  const real root = std::sqrt(b * b + 4 * a * c), squared = b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
  const real k = std::sqrt(squared);
  return {k, frequency / k, ratio_of_fluxes(squared, depth, of)};
}

/// Newton's iteration on k along + Omega(k) - w from 0, between the last k below the root and the first above it.
std::optional<ModelWave> wave_on_current(real frequency, real along, real depth, real gravity,
                                         const ProfileIntegrals& of) {
  if (along == 0) return model_wave(frequency, depth, gravity, of);
  constexpr int most = 200;
  constexpr real round_off = 1e-15;
  const real fastest = along + std::sqrt(gravity * depth);  // of all waves
  if (!(fastest > 0)) return std::nullopt;
  real low = 0, high = std::numeric_limits<real>::infinity(), k = frequency / fastest;
  for (int i = 0; i < most; ++i) {
    const real k2 = k * k, mass = of.curvature + of.square * k2, still = model_frequency(k, depth, gravity, of);
    // d(Omega^2)/dk = 2 g k (h - hD^2 k^2 (2 M + N k^2) / (M + N k^2)^2)
    const real slope =
        along + gravity * k / still * (depth - of.mean * of.mean * k2 * (of.curvature + mass) / (mass * mass));
    const real above = k * along + still - frequency;
    if (above < 0 && !(slope > 0)) return std::nullopt;
    (above < 0 ? low : high) = k;
    real next = k - above / slope;
    if (!(next > low && next < high)) next = std::isinf(high) ? 2 * k : (low + high) / 2;
    if (above == 0 || std::abs(next - k) <= round_off * k) break;
    k = next;
  }
  return ModelWave{k, frequency / k - along, ratio_of_fluxes(k * k, depth, of)};
}

real model_frequency(real number, real depth, real gravity, const ProfileIntegrals& of) {
  const real k2 = number * number;
  return std::sqrt(gravity * k2 * (depth - of.mean * of.mean * k2 / (of.curvature + of.square * k2)));
}

}  // namespace solenoid
