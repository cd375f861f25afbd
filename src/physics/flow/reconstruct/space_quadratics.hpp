/// Basis of divergence-free quadratic velocities in space.
#pragma once

#include <array>

#include "physics/flow/reconstruct/cell_stretch.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

namespace solenoid {

/// All 26, in the coordinates of a FitFrame: thirty quadratics less four conditions of zero divergence. There they
/// stand for v with u = J v: quadratic and without divergence as u is.
struct SpaceQuadratics {
  static constexpr int unknowns = 26, dimension = 3;
  static constexpr int of_degree[] = {3, 11, 26};  // number of unknowns up to degree 0, 1, 2
  static constexpr double rows_per_unknown = 3;    // one ring has 1.6 and leaves noise: see docs/numerics.md
  static constexpr std::size_t most_faces = 80;    // about three for each unknown
  /// Components of NodeVelocity, value before gradient: all.
  static constexpr int components[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  static constexpr double distance_offset = 0.3;  // in the weights 1 / (r + offset)
  using Solver = LeastSquaresSolver<unknowns, 12>;

  /// A triangle relative to a node.
  struct Face {
    Vec3 normal, tangent[2];
    // Means of the coordinates and of their products, by the midpoints of the edges: exact for quadratics.
    double x = 0, y = 0, z = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    double distance;  // of its centroid

    Face(const MeshPart& part, const SeenFace& seen, const FitFrame& frame) {
      const std::span<const int> points = part.face_points_of(seen.face);
      std::array<Vec3, 3> corner;
      for (std::size_t k = 0; k < 3; ++k) {
        corner[k] = frame.stretch.shrunk(seen.image.of(part.points[points[k]]) - frame.origin) / frame.scale;
      }
      normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
      normal = normal / norm(normal);
      tangent[0] = (corner[1] - corner[0]) / norm(corner[1] - corner[0]);
      tangent[1] = cross(normal, tangent[0]);
      if (seen.image.mirrors) normal = -normal;  // the flux changes sign
      constexpr double third = 1.0 / 3;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = (corner[k] + corner[(k + 1) % 3]) / 2;
        x += third * p.x, y += third * p.y, z += third * p.z;
        xx += third * (p.x * p.x), xy += third * (p.x * p.y), xz += third * (p.x * p.z);
        yy += third * (p.y * p.y), yz += third * (p.y * p.z), zz += third * (p.z * p.z);
      }
      distance = norm(corner[0] + corner[1] + corner[2]) / 3;
    }
    double weight() const { return 1 / (distance + distance_offset); }
    /// The mean velocity's component along n.
    Solver::Row component(const Vec3& n) const {
      // constants; linear; per component the terms without its own coordinate; squares and their balancing terms
      return {{n.x,
               n.y,
               n.z,  //
               n.x * y,
               n.x * z,
               n.y * x,
               n.y * z,
               n.z * x,
               n.z * y,
               n.x * x - n.y * y,
               n.y * y - n.z * z,  //
               n.x * yy,
               n.x * yz,
               n.x * zz,
               n.y * xx,
               n.y * xz,
               n.y * zz,
               n.z * xx,
               n.z * xy,
               n.z * yy,  //
               n.x * xx - 2 * n.y * xy,
               n.x * xx - 2 * n.z * xz,
               n.y * yy - 2 * n.x * xy,  //
               n.y * yy - 2 * n.z * yz,
               n.z * zz - 2 * n.x * xz,
               n.z * zz - 2 * n.y * yz}};
    }
    Solver::Row through() const { return component(normal); }
    Solver::Row along(int t) const { return component(tangent[t]); }
  };

  /// The directions in space of the data that rows along the tangents have, components of u: those of WallData.
  static std::array<Vec3, 2> tangents_in_space(const Face& face, const CellStretch& of) {
    const Vec3 first = of.stretched(face.tangent[0]);
    const Vec3 second = cross(of.shrunk(cross(face.tangent[0], face.tangent[1])), first);
    return {first / norm(first), second / norm(second)};
  }
  /// Components of u from those of v.
  static void stretch(Solver::Shares& shares, const CellStretch& of) {
    auto& s = shares.of;
    const Vec3 value = of.stretched({s[0], s[1], s[2]});
    const Vec3 gradient[3] = {{s[3], s[4], s[5]}, {s[6], s[7], s[8]}, {s[9], s[10], s[11]}};
    const auto store = [&](std::size_t k, const Vec3& v) { s[k] = v.x, s[k + 1] = v.y, s[k + 2] = v.z; };
    store(0, value);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 along = of.shrunk({real(k == 0), real(k == 1), real(k == 2)});
      store(3 + 3 * k, of.stretched(along.x * gradient[0] + along.y * gradient[1] + along.z * gradient[2]));
    }
  }

  /// Components of v at the node from the coefficients.
  static Solver::OfCoefficients results(double scale) {
    Solver::OfCoefficients rows{};
    rows[0][0] = rows[1][1] = rows[2][2] = 1;
    rows[3][9] = rows[4][5] = rows[5][7] = 1 / scale;                            // along x
    rows[6][3] = rows[7][10] = rows[8][8] = 1 / scale, rows[7][9] = -1 / scale;  // along y
    rows[9][4] = rows[10][6] = 1 / scale, rows[11][10] = -1 / scale;             // along z
    return rows;
  }
};

}  // namespace solenoid
