#include "physics/waves/vertical_profile.hpp"

#include <cmath>

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

ModelWave model_wave(real frequency, real depth, real gravity, const ProfileIntegrals& of) {
  const real w2 = frequency * frequency / gravity;
  // a K^2 + b K - c = 0 for K = k^2
  const real a = depth * of.square - of.mean * of.mean, b = depth * of.curvature - w2 * of.square,
             c = w2 * of.curvature;
  const real root = std::sqrt(b * b + 4 * a * c), squared = b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
  const real k = std::sqrt(squared), r = squared * of.mean / (of.curvature + of.square * squared);
  return {k, frequency / k, (of.mean - of.square * r) / (depth - of.mean * r)};
}

real model_frequency(real number, real depth, real gravity, const ProfileIntegrals& of) {
  const real k2 = number * number;
  return std::sqrt(gravity * k2 * (depth - of.mean * of.mean * k2 / (of.curvature + of.square * k2)));
}

}  // namespace solenoid
