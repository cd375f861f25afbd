/// Vectors in space: positions [m], velocities [m/s]; the bounding box and the text of positions. In 2D the third
/// component is 0, of vorticity the only one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/real.hpp"

namespace solenoid {

struct Vec3 {
  real x = 0, y = 0, z = 0;

  SOLENOID_HD Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  SOLENOID_HD Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  SOLENOID_HD Vec3& operator*=(real s) { return x *= s, y *= s, z *= s, *this; }
  SOLENOID_HD friend Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  SOLENOID_HD friend Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  SOLENOID_HD friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  SOLENOID_HD friend Vec3 operator*(real s, Vec3 a) { return a *= s; }
  SOLENOID_HD friend Vec3 operator*(Vec3 a, real s) { return a *= s; }
  SOLENOID_HD friend Vec3 operator/(Vec3 a, real s) { return a *= 1 / s; }
};

SOLENOID_HD inline real dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SOLENOID_HD inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SOLENOID_HD inline real norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

/// Empty at first: `low` is above `high`.
struct Box {
  static constexpr real far = std::numeric_limits<real>::max();
  Vec3 low{far, far, far}, high{-far, -far, -far};

  void include(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  Vec3 size() const { return high - low; }
};

/// "(x, y)" in 2D, else "(x, y, z)" [m].
std::string text_of_place(const Vec3& x, int dimension = 3);

}  // namespace solenoid
