/// Symmetric tensors in space; in 2D those with z are 0.
#pragma once

#include "base/vec3.hpp"

namespace solenoid {

struct Tensor {
  real xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;

  SOLENOID_HD friend Vec3 operator*(const Tensor& a, const Vec3& u) {
    return {a.xx * u.x + a.xy * u.y + a.zx * u.z, a.xy * u.x + a.yy * u.y + a.yz * u.z,
            a.zx * u.x + a.yz * u.y + a.zz * u.z};
  }
  SOLENOID_HD friend Tensor operator+(const Tensor& a, const Tensor& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.yz + b.yz, a.zx + b.zx};
  }
  SOLENOID_HD friend Tensor operator*(real s, const Tensor& a) {
    return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.yz, s * a.zx};
  }
  /// s v v^T.
  SOLENOID_HD static Tensor square(real s, const Vec3& v) {
    return {s * v.x * v.x, s * v.y * v.y, s * v.z * v.z, s * v.x * v.y, s * v.y * v.z, s * v.z * v.x};
  }
  SOLENOID_HD real trace() const { return xx + yy + zz; }
};

}  // namespace solenoid
