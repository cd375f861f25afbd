/// Basis of divergence-free quadratic velocities in the plane. For files that include Eigen.
#pragma once

#include <algorithm>
#include <limits>

#include "physics/flow/reconstruct/cubic_stream.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

namespace solenoid {

/// The nine velocities curl psi, psi a cubic, in coordinates from the node in units of `scale`.
struct PlaneQuadratics {
  static constexpr int unknowns = cubic::unknowns, dimension = 2;
  static constexpr int of_degree[] = {2, 5, 9};  // number of unknowns up to degree 0, 1, 2
  static constexpr double rows_per_unknown = 6;  // three rings inside a mesh: measured, see docs/verification.md
  static constexpr std::size_t most_faces = std::numeric_limits<std::size_t>::max() / 16;
  /// Components of NodeVelocity, value before gradient, that occur in the plane.
  static constexpr int components[] = {0, 1, 3, 4, 6, 7};
  using Solver = LeastSquaresSolver<unknowns, 6>;

  /// A side relative to a node.
  struct Face {
    cubic::Side side;
    double sense;  // sign of the flux: -1 in a mirror image
    Face(const MeshPart& part, const SeenFace& seen, const Vec3& origin, double scale)
        : side(seen.image.of(part.points[part.face_points_of(seen.face)[0]]),
               seen.image.of(part.points[part.face_points_of(seen.face)[1]]), origin, scale),
          sense(seen.image.mirrors ? -1 : 1) {}
    double weight() const { return side.weight; }
    /// Mean velocity along its own normal: U = psi_b - psi_a.
    Solver::Row through() const {
      return row((sense / side.length) *
                 (cubic::potential_row(side.b.x, side.b.y) - cubic::potential_row(side.a.x, side.a.y)));
    }
    /// Mean velocity along a tangent of WallData.
    Solver::Row along(int) const { return row(side.mean_along()); }

   private:
    static Solver::Row row(const cubic::Row& values) {
      Solver::Row row;
      std::copy_n(values.data(), unknowns, row.of.begin());
      return row;
    }
  };

  /// Components of the velocity at the node from the coefficients.
  static Solver::OfCoefficients results(double scale) {
    Solver::OfCoefficients rows{};
    rows[0][1] = 1, rows[1][0] = -1;
    rows[2][3] = 1 / scale, rows[3][2] = -2 / scale;
    rows[4][4] = 2 / scale, rows[5][3] = -1 / scale;
    return rows;
  }
};

}  // namespace solenoid
