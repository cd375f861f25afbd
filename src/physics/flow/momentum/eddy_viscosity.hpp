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

  /// From I_2 of g^T g and |det g|. Of the squares of the singular values, the eigenvalues of g^T g, the outer one that
  /// is farther from the middle follows from the cubic equation, the others from the plane across its direction (Eberly
  /// 2014): so the difference of two that nearly agree has no root of round-off, nor has a least one of nearly 0.
  SOLENOID_HD static real rate_of_singular_values(const Vec3* g, real second, real determinant) {
    constexpr real mean = real{1} / 3, sixty_degrees = 1.0471975511965976;
    const real spread = mean * mean - mean * second;
    if (!(spread > 0)) return 0;  // all three are one
    const real root = sqrt(spread);
    const real cosine = (mean * mean * mean - mean * second / 2 + determinant * determinant / 2) / (spread * root);
    const real angle = acos(cosine < -1 ? -1 : cosine > 1 ? 1 : cosine) / 3;
    const bool is_first = cosine >= 0;
    const real outer = mean + 2 * root * (is_first ? cos(angle) : -cos(sixty_degrees - angle));
    Vec3 rows[3], along{};
    for (int k = 0; k < 3; ++k) rows[k] = transposed_times(g, g[k]);
    rows[0].x -= outer, rows[1].y -= outer, rows[2].z -= outer;
    real largest = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 across = cross(rows[k], rows[(k + 1) % 3]);
      const real square = dot(across, across);
      if (square > largest) largest = square, along = across;
    }
    if (!(largest > 0)) return 0;
    along = along / sqrt(largest);
    const Vec3 beside = fabs(along.x) > fabs(along.y) ? Vec3{-along.z, 0, along.x} : Vec3{0, along.z, -along.y};
    const Vec3 one = beside / sqrt(dot(beside, beside)), other = cross(along, one);
    const Vec3 of_one = times(g, one), of_other = times(g, other);
    const real a = dot(of_one, of_one), b = dot(of_other, of_other), c = dot(of_one, of_other);
    const real difference = sqrt((a - b) * (a - b) + 4 * c * c), larger = (a + b + difference) / 2;
    const real smaller = larger - difference;
    const real first = sqrt(is_first ? outer : larger), middle_square = is_first ? larger : smaller;
    if (!(middle_square > 0)) return 0;
    const real middle = sqrt(middle_square), least = determinant / (first * middle);
    const real above = is_first ? (outer - larger) / (first + middle) : difference / (first + middle);
    const real below = is_first ? difference / (middle + least) : middle - least;
    const real product = least * above * below;
    return product > 0 ? product / (first * first) : 0;
  }
};

}  // namespace solenoid
