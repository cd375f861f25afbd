/// Search for the cell of a piece, other than a ghost, that contains a point or is nearest to it.
#pragma once

#include <array>
#include <memory>

#include "io/paraview/result_output.hpp"

namespace solenoid {

/// A point of a cell.
struct PointInCell {
  int cell = -1;                 ///< -1: none was nearer
  Vec3 point;                    ///< the nearest one of the cell [m]
  std::array<real, 4> weight{};  ///< its barycentric coordinates
  real distance = 0;             ///< [m]
};

class PieceLocator {
 public:
  /// Refers to `piece`, which must outlive it.
  explicit PieceLocator(const ResultPiece& piece);
  ~PieceLocator();
  PieceLocator(const PieceLocator&) = delete;
  PieceLocator& operator=(const PieceLocator&) = delete;

  /// The nearest point of the piece to `x`. Of a piece in the plane, z has no effect.
  PointInCell nearest(const Vec3& x) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
