/// Cubic stream functions around a point, psi with the terms x, y, xx, xy, yy, xxx, xxy, xyy, yyy, so that u =
/// (dpsi/dy, -dpsi/dx) has no divergence. For files that include Eigen.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "base/vec3.hpp"

namespace solenoid::cubic {

constexpr int unknowns = 9;
constexpr double worst_condition = 1e-4;  ///< smallest over largest pivot of the column-scaled system
constexpr double distance_offset = 0.3;   ///< in the weights 1 / (r + offset)

using Row = Eigen::Matrix<double, 1, unknowns>;

/// Monomials of psi at a point.
inline Row potential_row(double x, double y) {
  Row row;
  row << x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y;
  return row;
}
/// Velocity components d psi/dy and -d psi/dx.
inline Row x_velocity_row(double x, double y) {
  Row row;
  row << 0, 1, 0, x, 2 * y, 0, x * x, 2 * x * y, 3 * y * y;
  return row;
}
inline Row y_velocity_row(double x, double y) {
  Row row;
  row << -1, 0, -2 * x, -y, 0, -3 * x * x, -2 * x * y, -y * y, 0;
  return row;
}

/// Points of the two-point Gauss rule along a segment.
inline const double gauss[2] = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};

/// A side of a triangle relative to a node, in units of `scale`.
struct Side {
  Vec3 a, b;
  double length, weight;
  Side(const Vec3& first, const Vec3& second, const Vec3& origin, double scale)
      : a((first - origin) / scale),
        b((second - origin) / scale),
        length(norm(b - a)),
        weight(1 / (norm(a + b) / 2 + distance_offset)) {}
  Vec3 along() const { return (b - a) / length; }
  Vec3 at(double place) const { return a + place * (b - a); }
  /// Mean tangential velocity on the side.
  Row mean_along() const {
    Row row = Row::Zero();
    for (const double place : gauss) {
      const Vec3 x = at(place), t = along();
      row += (t.x * x_velocity_row(x.x, x.y) + t.y * y_velocity_row(x.x, x.y)) / 2;
    }
    return row;
  }
};

}  // namespace solenoid::cubic
