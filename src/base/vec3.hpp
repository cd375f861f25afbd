/// Vectors in space: positions [m], velocities [m/s]. In 2D the third component is 0, of vorticity the only one.
#pragma once

#include <cmath>

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

}  // namespace solenoid
