/// Gradients of a velocity in kernels, by columns: [k] is the change of the velocity along axis k.
#pragma once

#include "base/vec3.hpp"

namespace solenoid {

SOLENOID_HD inline real trace(const Vec3* gradient) { return gradient[0].x + gradient[1].y + gradient[2].z; }

/// Of a gradient in space, or in the plane, where z counts for nothing.
template <int d>
SOLENOID_HD inline void remove_trace(Vec3* gradient) {
  const real mean = real{1} / d * trace(gradient);
  gradient[0].x -= mean, gradient[1].y -= mean;
  if (d == 3) gradient[2].z -= mean;
}

/// += u along^T.
SOLENOID_HD inline void add_product(const Vec3& u, const Vec3& along, Vec3* gradient) {
  gradient[0] += along.x * u, gradient[1] += along.y * u, gradient[2] += along.z * u;
}

SOLENOID_HD inline Vec3 times(const Vec3* gradient, const Vec3& n) {
  return n.x * gradient[0] + n.y * gradient[1] + n.z * gradient[2];
}

SOLENOID_HD inline Vec3 transposed_times(const Vec3* gradient, const Vec3& n) {
  return {dot(gradient[0], n), dot(gradient[1], n), dot(gradient[2], n)};
}

/// L L^T contracted, sum_ij L_ij L_ji.
SOLENOID_HD inline real square_with_transposed(const Vec3* L) {
  return L[0].x * L[0].x + L[1].y * L[1].y + L[2].z * L[2].z +
         2 * (L[0].y * L[1].x + L[1].z * L[2].y + L[2].x * L[0].z);
}

/// 2 D:D, D the symmetric part: 0 of a rotation but for the round-off of its entries.
SOLENOID_HD inline real squared_shear_rate(const Vec3* L) {
  const real yz = L[1].z + L[2].y, zx = L[2].x + L[0].z, xy = L[0].y + L[1].x;
  return 2 * (L[0].x * L[0].x + L[1].y * L[1].y + L[2].z * L[2].z) + yz * yz + zx * zx + xy * xy;
}

/// += share of the transposed.
SOLENOID_HD inline void add_transposed(real share, Vec3* gradient) {
  const Vec3 rows[3] = {{gradient[0].x, gradient[1].x, gradient[2].x},
                        {gradient[0].y, gradient[1].y, gradient[2].y},
                        {gradient[0].z, gradient[1].z, gradient[2].z}};
  for (int k = 0; k < 3; ++k) gradient[k] += share * rows[k];
}

}  // namespace solenoid
