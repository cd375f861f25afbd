/// Basis of divergence-free quadratic velocities in the plane. For files that include Eigen.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "physics/flow/reconstruct/cell_stretch.hpp"
#include "physics/flow/reconstruct/cubic_stream.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

namespace solenoid {

/// The nine velocities v = curl psi, psi a cubic, in the coordinates of a FitFrame, where u = J v.
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
    Vec3 normal, tangent[1];

    Face(const MeshPart& part, const SeenFace& seen, const FitFrame& frame)
        : side(at(part, seen, 0, frame), at(part, seen, 1, frame), {}, frame.scale),
          sense(seen.image.mirrors ? -1 : 1),
          normal{sense * side.along().y, -sense * side.along().x, 0},
          tangent{side.along()} {}
    double weight() const { return side.weight; }
    /// Mean velocity along its own normal: U = psi_b - psi_a.
    Solver::Row through() const {
      return row((sense / side.length) *
                 (cubic::potential_row(side.b.x, side.b.y) - cubic::potential_row(side.a.x, side.a.y)));
    }
    /// Mean velocity along a tangent of WallData.
    Solver::Row along(int) const { return row(side.mean_along()); }

   private:
    static Vec3 at(const MeshPart& part, const SeenFace& seen, std::size_t corner, const FitFrame& frame) {
      return frame.stretch.shrunk(seen.image.of(part.points[part.face_points_of(seen.face)[corner]]) - frame.origin);
    }
    static Solver::Row row(const cubic::Row& values) {
      Solver::Row row;
      std::copy_n(values.data(), unknowns, row.of.begin());
      return row;
    }
  };

  /// The direction in space of the datum that a row along the tangent has, a component of u.
  static std::array<Vec3, 1> tangents_in_space(const Face& face, const CellStretch& of) {
    const Vec3 side = of.stretched(face.tangent[0]);
    return {side / norm(side)};
  }
  /// Components of u from those of v.
  static void stretch(Solver::Shares& shares, const CellStretch& of) {
    auto& s = shares.of;
    const Vec3 value = of.stretched({s[0], s[1], 0}), gradient[2] = {{s[2], s[3], 0}, {s[4], s[5], 0}};
    s[0] = value.x, s[1] = value.y;
    for (std::size_t k = 0; k < 2; ++k) {
      const Vec3 along = of.shrunk({real(k == 0), real(k == 1), 0});
      const Vec3 derivative = of.stretched(along.x * gradient[0] + along.y * gradient[1]);
      s[2 + 2 * k] = derivative.x, s[3 + 2 * k] = derivative.y;
    }
  }

  /// Components of v at the node from the coefficients.
  static Solver::OfCoefficients results(double scale) {
    Solver::OfCoefficients rows{};
    rows[0][1] = 1, rows[1][0] = -1;
    rows[2][3] = 1 / scale, rows[3][2] = -2 / scale;
    rows[4][4] = 2 / scale, rows[5][3] = -1 / scale;
    return rows;
  }
};

}  // namespace solenoid
