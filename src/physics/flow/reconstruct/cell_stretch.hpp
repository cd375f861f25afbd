/// Coordinates in which flat and long cells are about as wide in all directions. For files that include Eigen.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/tensor.hpp"

namespace solenoid {

/// x = J xi, J symmetric with det J = 1: the root of the mean square of the sides around a place, so that they are
/// alike in all directions in xi. J is the identity where cells are up to about four times as wide as high, or three
/// times as long as wide.
class CellStretch {
 public:
  CellStretch() = default;
  /// `sides`: the sum of their squares s s^T, in any unit.
  explicit CellStretch(const Tensor& sides) {
    constexpr real most = 0.2;         // of the determinant over that of equal sides: 4 : 4 : 1, or 3 : 1 : 1
    constexpr real round_off = 1e-12;  // of the squares of lengths
    if (!(sides.trace() > 0)) return;
    const Tensor s = (3 / sides.trace()) * sides;  // the same bits in any unit
    Eigen::Matrix3d squares;
    squares << s.xx, s.xy, s.zx, s.xy, s.yy, s.yz, s.zx, s.yz, s.zz;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(squares);
    const Eigen::Vector3d lengths = axes.eigenvalues().cwiseMax(round_off).cwiseSqrt();
    const double volume = lengths.prod();
    if (volume * volume > most) return;
    is_needed_ = true;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d axis = axes.eigenvectors().col(k);
      const Vec3 direction{real(axis[0]), real(axis[1]), real(axis[2])};
      const double factor = lengths[k] / std::cbrt(volume);
      stretch_ = stretch_ + Tensor::square(real(factor), direction);
      shrink_ = shrink_ + Tensor::square(real(1 / factor), direction);
    }
  }
  /// In the plane, across which it does nothing.
  static CellStretch in_plane(Tensor sides) {
    sides.zz = std::sqrt(std::max(real{0}, sides.xx * sides.yy - sides.xy * sides.xy));
    return CellStretch(sides);
  }

  bool is_needed() const { return is_needed_; }
  /// J v: vectors of xi in space.
  Vec3 stretched(const Vec3& v) const { return is_needed_ ? stretch_ * v : v; }
  /// J^-1 v. For normals J^-T n: those of planes in space from those in xi.
  Vec3 shrunk(const Vec3& v) const { return is_needed_ ? shrink_ * v : v; }

 private:
  Tensor stretch_, shrink_;  // J and its inverse, if needed
  bool is_needed_ = false;
};

/// Coordinates around a node: xi in units of `scale`.
struct FitFrame {
  Vec3 origin;
  double scale;  ///< [m]
  CellStretch stretch;
};

}  // namespace solenoid
