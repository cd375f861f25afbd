/// Coordinates in which flat and long cells are about as wide in all directions.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/tensor.hpp"

namespace solenoid {

/// x = J xi with det J = 1, J the Cholesky factor of the mean square of the sides around a place: there the sides are
/// alike in all directions. Any other root of it would turn the coordinates xi, which a fit of all quadratics does not
/// see. J is the identity where cells are up to about four times as long as wide.
class CellStretch {
 public:
  CellStretch() = default;
  /// `sides`: the sum of their squares s s^T, in any unit.
  explicit CellStretch(const Tensor& sides) {
    constexpr real least = 0.2;  // of the determinant, over that of equal sides: 4 : 4 : 1, or 3 : 1 : 1
    if (!(sides.trace() > 0)) return;
    const Tensor s = (3 / sides.trace()) * sides;  // the same bits in any unit
    const real determinant =
        s.xx * (s.yy * s.zz - s.yz * s.yz) - s.xy * (s.xy * s.zz - s.yz * s.zx) + s.zx * (s.xy * s.yz - s.yy * s.zx);
    if (!(determinant > 0) || determinant > least) return;
    const real one = std::cbrt(determinant);
    is_needed_ = true;
    xx_ = std::sqrt(s.xx / one);
    yx_ = s.xy / one / xx_, zx_ = s.zx / one / xx_;
    yy_ = std::sqrt(s.yy / one - yx_ * yx_);
    zy_ = (s.yz / one - zx_ * yx_) / yy_;
    zz_ = 1 / (xx_ * yy_);
  }

  /// In the plane, across which it does nothing.
  static CellStretch in_plane(Tensor sides) {
    sides.zz = std::sqrt(std::max(real{0}, sides.xx * sides.yy - sides.xy * sides.xy));
    return CellStretch(sides);
  }

  bool is_needed() const { return is_needed_; }
  /// J v: vectors of xi in space.
  Vec3 stretched(const Vec3& v) const { return {xx_ * v.x, yx_ * v.x + yy_ * v.y, zx_ * v.x + zy_ * v.y + zz_ * v.z}; }
  /// J^-1 v; v itself, in bits, if J is the identity.
  Vec3 shrunk(const Vec3& v) const {
    if (!is_needed_) return v;
    const real x = v.x / xx_, y = (v.y - yx_ * x) / yy_;
    return {x, y, (v.z - zx_ * x - zy_ * y) / zz_};
  }
  /// J^-T n: normals of planes in space from those in xi.
  Vec3 normal(const Vec3& n) const {
    const real z = n.z / zz_, y = (n.y - zy_ * z) / yy_;
    return {(n.x - yx_ * y - zx_ * z) / xx_, y, z};
  }

 private:
  real xx_ = 1, yx_ = 0, yy_ = 1, zx_ = 0, zy_ = 0, zz_ = 1;  // J
  bool is_needed_ = false;
};

/// Coordinates around a node: xi in units of `scale`.
struct FitFrame {
  Vec3 origin;
  double scale;  ///< [m]
  CellStretch stretch;
};

}  // namespace solenoid
