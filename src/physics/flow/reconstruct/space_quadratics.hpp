/// Basis of divergence-free quadratic velocities in space. For files that include Eigen.
#pragma once

#include <Eigen/Dense>
#include <array>

#include "physics/flow/reconstruct/cubic_stream.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

namespace solenoid {

/// All 26, in coordinates from the node in units of `scale`: thirty quadratics less four conditions of zero divergence.
struct SpaceQuadratics {
  static constexpr int unknowns = 26, dimension = 3;
  static constexpr int of_degree[] = {3, 11, 26};  // number of unknowns up to degree 0, 1, 2
  static constexpr double rows_per_unknown = 3;    // one ring has 1.6 and leaves noise: see docs/numerics.md
  static constexpr std::size_t most_faces = 80;    // about three for each unknown
  /// Components of NodeVelocity, value before gradient: all.
  static constexpr int components[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  using Row = Eigen::Matrix<double, 1, unknowns>;
  using Results = Eigen::Matrix<double, 12, unknowns>;
  using Velocity = Eigen::Matrix<double, 3, unknowns>;

  static Velocity velocity(const Vec3& p) {
    const double x = p.x, y = p.y, z = p.z;
    Velocity rows;
    // constants; linear; per component the terms without its own coordinate; squares and their balancing terms
    rows << 1, 0, 0, y, z, 0, 0, 0, 0, x, 0, y * y, y * z, z * z, 0, 0, 0, 0, 0, 0, x * x, x * x, -2 * x * y, 0,
        -2 * x * z, 0,  //
        0, 1, 0, 0, 0, x, z, 0, 0, -y, y, 0, 0, 0, x * x, x * z, z * z, 0, 0, 0, -2 * x * y, 0, y * y, y * y, 0,
        -2 * y * z,  //
        0, 0, 1, 0, 0, 0, 0, x, y, 0, -z, 0, 0, 0, 0, 0, 0, x * x, x * y, y * y, 0, -2 * x * z, 0, -2 * y * z, z * z,
        z * z;
    return rows;
  }

  /// A triangle relative to a node.
  struct Face {
    std::array<Vec3, 3> corner;
    Vec3 normal, tangent[2];
    Velocity mean = Velocity::Zero();  // by the midpoints of its edges: exact for quadratics
    double distance;                   // of its centroid
    Face(const MeshPart& part, const SeenFace& seen, const Vec3& origin, double scale) {
      const std::span<const int> points = part.face_points_of(seen.face);
      for (std::size_t k = 0; k < 3; ++k) corner[k] = (seen.image.of(part.points[points[k]]) - origin) / scale;
      normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
      normal = normal / norm(normal);
      tangent[0] = (corner[1] - corner[0]) / norm(corner[1] - corner[0]);
      tangent[1] = cross(normal, tangent[0]);
      if (seen.image.mirrors) normal = -normal;  // the flux changes sign
      for (std::size_t k = 0; k < 3; ++k) mean += velocity((corner[k] + corner[(k + 1) % 3]) / 2) / 3;
      distance = norm(corner[0] + corner[1] + corner[2]) / 3;
    }
    double weight() const { return 1 / (distance + cubic::distance_offset); }
    Row through() const { return Eigen::RowVector3d(normal.x, normal.y, normal.z) * mean; }
    Row along(int t) const { return Eigen::RowVector3d(tangent[t].x, tangent[t].y, tangent[t].z) * mean; }
  };

  /// Components of the velocity at the node from the coefficients.
  static Results results(double scale) {
    Results rows = Results::Zero();
    rows(0, 0) = rows(1, 1) = rows(2, 2) = 1;
    rows(3, 9) = rows(4, 5) = rows(5, 7) = 1 / scale;                            // along x
    rows(6, 3) = rows(7, 10) = rows(8, 8) = 1 / scale, rows(7, 9) = -1 / scale;  // along y
    rows(9, 4) = rows(10, 6) = 1 / scale, rows(11, 10) = -1 / scale;             // along z
    return rows;
  }
};

}  // namespace solenoid
