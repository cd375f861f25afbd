/// Polyhedra divided into tetrahedra, and polygons into triangles, with new nodes where a centre is needed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Triangles stay, convex quadrangles are cut at the corner of the lowest number, as those of append_simplices(), and
/// other faces into triangles around their centre: neighbours divide the face between them alike. A polyhedron of at
/// most six faces and twelve triangles is the cone from its corner of the lowest number if all of its tetrahedra have
/// the right orientation; any other one is the cone from its centre.
class PolyhedronDivision {
 public:
  /// `points`: positions by number; those of centres are appended.
  explicit PolyhedronDivision(std::vector<Vec3>& points) : points_(points) {}

  /// Appends the triangles of a face, in its orientation. `face`: its number, by which its centre is known again.
  void append_triangles(std::int64_t face, std::span<const std::int64_t> corners, std::vector<std::int64_t>& nodes);

  /// Appends the tetrahedra of the cell between these triangles, as append_triangles() gives them of its faces, each
  /// anticlockwise from outside.
  void append_tetrahedra(int faces, std::span<const std::int64_t> triangles, std::vector<std::int64_t>& nodes);

 private:
  std::int64_t add(const Vec3& point);
  const Vec3& at(std::int64_t node) const { return points_[static_cast<std::size_t>(node)]; }
  real volume(std::span<const std::int64_t> triangle, const Vec3& apex) const;
  bool is_convex(std::span<const std::int64_t> quadrangle) const;
  bool is_cone_from(std::int64_t apex, std::span<const std::int64_t> triangles) const;

  std::vector<Vec3>& points_;
  std::map<std::int64_t, std::int64_t> centre_of_face_;
};

}  // namespace solenoid
