/// Random eddies with the spectrum of isotropic turbulence, that drift through a plane.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Where eddies are: right-handed axes at right angles, the third one along the drift; along the first two the field
/// repeats itself after these lengths [m], 0 where it does not.
struct EddyAxes {
  std::array<Vec3, 3> axis;
  std::array<real, 2> period{0, 0};
};

/// The curl of a vector potential A = sum_e a_e (1 - r^2 / R^2)^4 of eddies at random places, of random directions a_e
/// (Jarrin et al. 2006, Int. J. Heat Fluid Flow 27; without divergence: Poletto, Craft & Revell 2013, Flow Turbul.
/// Combust. 91). Eddies of a size s have nearly the spectrum k^4 exp(-k^2 s^2), and von Karman's E(k) ~ (k l)^4 / (1 +
/// (k l)^2)^(17/6) is the sum of those over all sizes, with the energy Gamma(1/3)^-1 x^(-2/3) exp(-x) dx at x = (s /
/// l)^2: (1 + k^2 l^2)^(-17/6) is the integral of x^(11/6) exp(-x (1 + k^2 l^2)) / Gamma(17/6). Its integral length,
/// that of the longitudinal correlation, is L = sqrt(pi) Gamma(5/6) / Gamma(1/3) l = .7468 l.
///
/// The eddies fill boxes of a lattice, one a box, and follow from the seed and the box alone: at any place and time the
/// field is the same on any number of ranks and after a restart. The mean square of each component is 1. Toward a rim
/// eddies of each size fade over 1.5 sizes.
class EddyField {
 public:
  /// `length`: L [m], at most longest(). Sizes below `smallest` [m], and above a quarter of a period, are left out; the
  /// others have their energy, and the integral length.
  EddyField(const EddyAxes& axes, real length, real smallest, std::int64_t seed);
  /// The largest integral length of a field with periods [m].
  static real longest(const EddyAxes& axes, real smallest);

  struct Place {
    Vec3 at;
    real from_rim;  ///< distance [m]
    Vec3 away;      ///< unit vector away from the rim
  };
  struct Value {
    Vec3 potential;  ///< A [m]
    Vec3 velocity;   ///< its curl
  };
  /// At these places when the field has drifted by `drift` [m].
  std::vector<Value> at(std::span<const Place> places, real drift) const;

 private:
  /// Eddies of one size.
  struct Kind {
    std::int64_t key;                     // of its random numbers
    real radius;                          // R
    real strength;                        // |a|
    real fading;                          // distance from the rim that it fades over
    std::array<real, 3> box;              // lengths of the sides
    std::array<std::int64_t, 2> repeats;  // after so many boxes, 0 where it does not
  };
  struct Eddy {
    Vec3 at, a;  // in the axes
  };
  class Passing;
  Vec3 from_axes(const Vec3& v) const { return v.x * axes_.axis[0] + v.y * axes_.axis[1] + v.z * axes_.axis[2]; }
  Eddy eddy(const Kind& kind, const std::array<std::int64_t, 3>& box) const;

  EddyAxes axes_;
  std::vector<Kind> kinds_;
};

}  // namespace solenoid
