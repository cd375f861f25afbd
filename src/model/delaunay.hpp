/// Delaunay triangulation of points in the plane.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace solenoid {

/// Three points, counter-clockwise: indices; and the triangle beyond the edge opposite each, -1 on the hull.
struct DelaunayTriangle {
  std::array<int, 3> points, neighbours;
};

/// Whole coordinates, so that all decisions are exact: from 0 to 2^26.
using GridPoint = std::array<std::int64_t, 2>;
inline constexpr std::int64_t delaunay_grid = std::int64_t{1} << 26;

/// No circle around a triangle has a point inside. The points are distinct and ascend (first coordinate, then second);
/// if all of them lie on a line there is no triangle. A sweep that adds a point at a time and flips edges (Lawson
/// 1977); the decisions in whole numbers of 128 bits.
std::vector<DelaunayTriangle> delaunay_triangles(const std::vector<GridPoint>& points);

}  // namespace solenoid
