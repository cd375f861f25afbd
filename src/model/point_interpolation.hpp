/// Linear interpolation between points on a line or plane in space.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "model/box_tree.hpp"
#include "model/delaunay.hpp"

namespace solenoid {

using PointInSpace = std::array<double, 3>;  ///< [m]

/// Between points on a straight line, along it; between others in the triangles of their Delaunay triangulation, in the
/// plane through three of them that are far apart. Beyond the points and their convex hull the nearest place of the
/// hull counts. Neither depends on the order of the points.
class PointInterpolation {
 public:
  /// The values there are first + sum of shares[k] * (value of points[k + 1] - first).
  struct Place {
    std::array<int, 3> points;
    std::array<double, 2> shares;
    bool is_beyond;  ///< the hull, by more than a millionth of its extent
  };

  /// `along_curve`: in two dimensions, along a curve: its points are projected onto the line between its ends. Throws
  /// Error (bad input) if there are none, if two are at the same place, or if they do not lie in a plane, with the
  /// places.
  PointInterpolation(const std::vector<PointInSpace>& points, bool along_curve);

  Place place_of(const Vec3& x) const;

 private:
  using InPlane = std::array<double, 2>;
  struct Edge {
    int from, to;
  };

  InPlane in_plane(const PointInSpace& x) const;
  void order_along_line(const std::vector<PointInSpace>& points, bool along_curve);
  void triangulate(const std::vector<PointInSpace>& points);
  void sort_into_boxes();
  Place on_line(const InPlane& x) const;
  bool is_in(const DelaunayTriangle& triangle, const InPlane& x, Place& place) const;
  Place on_hull(const InPlane& x) const;

  PointInSpace origin_{}, first_axis_{}, second_axis_{};
  double extent_ = 0;            // the largest distance between the origin and a point [m]
  std::vector<InPlane> points_;  // along both axes [m]
  std::vector<int> along_;       // the points in their order on the line; empty: in a plane
  std::vector<DelaunayTriangle> triangles_;
  std::vector<Edge> hull_;
  BoxTree boxes_;  // around the triangles
};

}  // namespace solenoid
