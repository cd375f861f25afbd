/// The vertical structure of water waves in the variational Boussinesq model, and their dispersion.
#pragma once

#include <optional>

#include "base/real.hpp"

namespace solenoid {

/// The velocity potential is Phi = phi + f(z) psi, f(0) = 0, f'(0) = 1, f'(-h) = 0 (Klopman, van Groesen & Dingemans
/// 2010, J. Fluid Mech. 657:36): `parabolic` is right for long waves, `cosh` for waves of one period.
enum class VerticalProfile { cosh, parabolic };

/// Integrals of f over the depth h.
struct ProfileIntegrals {
  real mean = 0;       ///< hD = -int f [m^2]
  real square = 0;     ///< N = int f^2 [m^3]
  real curvature = 0;  ///< M = int f'^2 [m]
};

/// Constants of a sea [m/s^2, 1/s].
struct Sea {
  real gravity = 9.81;
  real frequency = 0;  ///< 2 pi / period, to which `cosh` is tuned
  VerticalProfile profile = VerticalProfile::cosh;
};

/// k with w^2 = g k tanh(k h): of linear waves of the angular frequency w over a depth h [1/m].
real wave_number(real frequency, real depth, real gravity);

/// Of the sea's profile over a depth > 0 [m].
ProfileIntegrals integrals_of(const Sea& sea, real depth);

/// A wave in the model over constant depth.
struct ModelWave {
  real number = 0;  ///< k [1/m]
  real speed = 0;   ///< relative to the water, w / k without a current [m/s]
  /// The flux of the psi-equation, (hD grad phi - N grad psi), over that of the water, (h grad phi - hD grad psi).
  real ratio = 0;
};

/// The wave of angular frequency w > 0 [1/s] in the model with these integrals: the root of w^2 = g k^2 (h - hD^2 k^2 /
/// (M + N k^2)).
ModelWave model_wave(real frequency, real depth, real gravity, const ProfileIntegrals& of);

/// The wave of angular frequency w > 0 [1/s] at a fixed place in water that moves with `along` [m/s] in the direction
/// of the wave: the least k with w = k along + Omega(k), Omega the frequency in still water; of a current against it
/// the one whose energy moves ahead. nullopt if the current is too fast for it.
std::optional<ModelWave> wave_on_current(real frequency, real along, real depth, real gravity,
                                         const ProfileIntegrals& of);

/// w of the wave with the number k [1/m] in the model [1/s].
real model_frequency(real number, real depth, real gravity, const ProfileIntegrals& of);

}  // namespace solenoid
