/// Models of the eddies that a mesh does not resolve, by a viscosity of their own.
#pragma once

#include <cmath>

#include "base/real.hpp"
#include "physics/flow/momentum/velocity_gradient.hpp"

namespace solenoid {

/// nu_t = (C Delta)^2 D, of `vreman` C Delta^2 D, of the gradient g of the resolved velocity:
///   smagorinsky  sqrt(2 S:S), S the symmetric part of g (Smagorinsky 1963),
///   wale         (R:R)^(3/2) / ((S:S)^(5/2) + (R:R)^(5/4)), R that of g g without its trace (Nicoud & Ducros 1999),
///   vreman       sqrt(I_2 / g:g), I_2 the second invariant of g^T g (Vreman 2004),
///   sigma        s_3 (s_1 - s_2) (s_2 - s_3) / s_1^2 of the singular values of g (Nicoud, Toda, Cabrit, Bose & Lee
///                2011).
struct EddyViscosity {
  enum class Kind { smagorinsky, wale, vreman, sigma };
  Kind kind = Kind::sigma;
  real constant = 1.35;  ///< C

  /// Of the literature; Smagorinsky's is that of channels.
  static real usual_constant(Kind kind) {
    constexpr real of_kind[] = {0.1, 0.5, 0.07, 1.35};
    return of_kind[static_cast<int>(kind)];
  }

  /// nu_t / D of a cell [m^2]: Delta^3 is six times its volume, so that Delta is the spacing of a uniform mesh's nodes.
  real squared_length(real volume) const {
    const real width = std::cbrt(6 * volume);
    return (kind == Kind::vreman ? constant : constant * constant) * (width * width);
  }

  /// D [1/s] of a gradient in space, by columns.
  SOLENOID_HD real rate(const Vec3* gradient) const {
    if (kind == Kind::smagorinsky) return sqrt(squared_shear_rate(gradient));
    real square = 0;
    for (int k = 0; k < 3; ++k) square += dot(gradient[k], gradient[k]);
    if (!(square > 0)) return 0;
    const real size = sqrt(square);
    Vec3 unit[3];  // so that no power of it is too small or too large
    for (int k = 0; k < 3; ++k) unit[k] = gradient[k] / size;
    return size * (kind == Kind::wale ? rate_of_wale(unit) : rate_of_invariants(unit));
  }

 private:
  SOLENOID_HD static real rate_of_wale(const Vec3* g) {
    Vec3 squared[3];
    for (int k = 0; k < 3; ++k) squared[k] = times(g, g[k]);
    remove_trace<3>(squared);
    const real of_strain = squared_shear_rate(g) / 2, of_squared = squared_shear_rate(squared) / 2;
    const real root = sqrt(of_squared);
    const real below = of_strain * of_strain * sqrt(of_strain) + of_squared * sqrt(root);
    return below > 0 ? of_squared * root / below : 0;
  }

  /// Of a gradient with g:g = 1.
  SOLENOID_HD real rate_of_invariants(const Vec3* g) const {
    const Vec3 xy = cross(g[0], g[1]), yz = cross(g[1], g[2]), zx = cross(g[2], g[0]);
    const real second = dot(xy, xy) + dot(yz, yz) + dot(zx, zx);
    return kind == Kind::vreman ? sqrt(second) : rate_of_singular_values(g, second, fabs(dot(xy, g[2])));
  }

  /// A symmetric matrix without its trace in an orthonormal basis; off its diagonal: xy, yz, zx.
  struct Deviator {
    real at[5];
    SOLENOID_HD Deviator(const real* diagonal, const real* off_diagonal) {
      constexpr real root_of_half = 0.70710678118654752, root_of_two = 1.4142135623730951,
                     root_of_sixth = 0.40824829046386302;
      at[0] = root_of_half * (diagonal[0] - diagonal[1]);
      at[1] = root_of_sixth * (diagonal[0] + diagonal[1] - 2 * diagonal[2]);
      for (int k = 0; k < 3; ++k) at[2 + k] = root_of_two * off_diagonal[k];
    }
    SOLENOID_HD real times(const Deviator& other) const {
      real sum = 0;
      for (int k = 0; k < 5; ++k) sum += at[k] * other.at[k];
      return sum;
    }
    /// |d|^2 |e|^2 - (d:e)^2, a sum of squares.
    SOLENOID_HD real squared_area(const Deviator& e) const {
      real sum = 0;
      for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < i; ++k) {
          const real minor = at[i] * e.at[k] - at[k] * e.at[i];
          sum += minor * minor;
        }
      }
      return sum;
    }
  };

  /// From I_2 of g^T g and |det g|. The square of s_1 follows from the cubic equation, s_2 + s_3 and s_2 s_3 from the
  /// invariants, and the product of all differences of squares is the root of the discriminant, three times the squared
  /// area of the deviators d of g^T g and e of its square (Domokos 2011, Comm. Pure Appl. Math. 64, 443-465): so the
  /// rate has errors of round-off, not of its root, also where two values agree or the least ones are 0.
  SOLENOID_HD static real rate_of_singular_values(const Vec3* g, real second, real determinant) {
    constexpr real mean = real{1} / 3;
    const real x = dot(g[0], g[0]) - mean, y = dot(g[1], g[1]) - mean, z = dot(g[2], g[2]) - mean;
    const real xy = dot(g[0], g[1]), yz = dot(g[1], g[2]), zx = dot(g[2], g[0]);
    const real diagonal[3] = {x, y, z}, off_diagonal[3] = {xy, yz, zx};
    const real squared[3] = {x * x + xy * xy + zx * zx, y * y + yz * yz + xy * xy, z * z + zx * zx + yz * yz};
    const real squared_off_diagonal[3] = {(x + y) * xy + yz * zx, (y + z) * yz + zx * xy, (z + x) * zx + xy * yz};
    const Deviator d(diagonal, off_diagonal), e(squared, squared_off_diagonal);
    const real spread = d.times(d) / 6;
    if (!(spread > 0)) return 0;  // all three are equal
    const real root = sqrt(spread), cosine = d.times(e) / (6 * spread * root);
    const real square = mean + 2 * root * cos(acos(cosine < -1 ? -1 : cosine > 1 ? 1 : cosine) / 3);
    const real first = sqrt(square), product = determinant / first;
    const real squares = (second - product * product) / square, apart = squares - 2 * product;
    const real sum = sqrt(squares + 2 * product), middle = (sum + (apart > 0 ? sqrt(apart) : 0)) / 2;
    if (!(middle > 0)) return 0;
    const real least = product / middle;
    const real below = square * (first - least) * (square + first * sum + product) * sum;
    return below > 0 ? least * sqrt(3 * d.squared_area(e)) / below : 0;
  }
};

}  // namespace solenoid
