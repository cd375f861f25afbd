/// Quadrature on simplices, exact for quadratics.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// A point in barycentric coordinates, and its weight as a share of the simplex.
struct QuadraturePoint {
  real weight;
  std::array<real, 4> barycentric;

  /// The point in the simplex with these corners: indices into `points`.
  Vec3 in(const std::vector<Vec3>& points, std::span<const int> corners) const {
    Vec3 x;
    for (std::size_t k = 0; k < corners.size(); ++k) x += barycentric[k] * points[corners[k]];
    return x;
  }
};

/// Points for a segment, triangle or tetrahedron with 2, 3 or 4 `corners`: Gauss's two points; Strang & Fix 1973, three
/// inner points; Hammer & Stroud 1956, four points.
std::span<const QuadraturePoint> quadrature(int corners);

}  // namespace solenoid
