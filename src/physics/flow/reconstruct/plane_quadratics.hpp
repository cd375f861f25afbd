/// Basis of divergence-free quadratic velocities in the plane. For files that include Eigen.
#pragma once

#include <limits>

#include "physics/flow/reconstruct/cubic_stream.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

namespace solenoid {

/// The nine of curl psi, psi a cubic, in places from the node in units of `scale`.
struct PlaneQuadratics {
  static constexpr int unknowns = cubic::unknowns, dimension = 2;
  static constexpr int of_degree[] = {2, 5, 9};  // the first ones are constants, those up to here linear
  static constexpr double rows_per_unknown = 6;  // three rings inside a mesh: measured, see docs/verification.md
  static constexpr std::size_t most_faces = std::numeric_limits<std::size_t>::max() / 16;
  /// Of NodeVelocity, value and gradient one after the other: those that there are.
  static constexpr int components[] = {0, 1, 3, 4, 6, 7};
  using Row = cubic::Row;
  using Results = Eigen::Matrix<double, 6, unknowns>;

  /// A side as a node sees it.
  struct Face {
    cubic::Side side;
    double sense;  // of the flux: a mirror changes sides
    Face(const MeshPart& part, const SeenFace& seen, const Vec3& origin, double scale)
        : side(seen.image.of(part.points[part.face_points_of(seen.face)[0]]),
               seen.image.of(part.points[part.face_points_of(seen.face)[1]]), origin, scale),
          sense(seen.image.mirrors ? -1 : 1) {}
    double weight() const { return side.weight; }
    /// The mean velocity along its own normal: U = psi_b - psi_a.
    Row through() const {
      return (sense / side.length) *
             (cubic::potential_row(side.b.x, side.b.y) - cubic::potential_row(side.a.x, side.a.y));
    }
    /// The mean velocity along a tangent of WallData.
    Row along(int) const { return side.mean_along(); }
  };

  /// The components of a velocity from its coefficients.
  static Results results(double scale) {
    Results rows = Results::Zero();
    rows(0, 1) = 1, rows(1, 0) = -1;
    rows(2, 3) = 1 / scale, rows(3, 2) = -2 / scale;
    rows(4, 4) = 2 / scale, rows(5, 3) = -1 / scale;
    return rows;
  }
};

}  // namespace solenoid
