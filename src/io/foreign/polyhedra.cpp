#include "io/foreign/polyhedra.hpp"

#include <algorithm>
#include <cstddef>

#include "io/msh/element_shapes.hpp"

namespace solenoid {

namespace {

/// Calls `use` with each triangle.
template <class Use>
void each_triangle(std::span<const std::int64_t> triangles, const Use& use) {
  for (std::size_t k = 0; k < triangles.size(); k += 3) use(triangles.subspan(k, 3));
}

}  // namespace

std::int64_t PolyhedronDivision::add(const Vec3& point) {
  points_.push_back(point);
  return std::ssize(points_) - 1;
}

/// Six times the volume between a triangle, anticlockwise from outside, and a point inside.
real PolyhedronDivision::volume(std::span<const std::int64_t> triangle, const Vec3& apex) const {
  return dot(cross(at(triangle[1]) - at(triangle[0]), at(triangle[2]) - at(triangle[0])), at(triangle[0]) - apex);
}

/// Whether a quadrangle is so by the triangles on both sides of its diagonal from the lowest number.
bool PolyhedronDivision::is_convex(std::span<const std::int64_t> quadrangle) const {
  constexpr real least = 1e-6;  // of the area
  const auto lowest = std::min_element(quadrangle.begin(), quadrangle.end()) - quadrangle.begin();
  const auto x = [&](std::ptrdiff_t k) { return at(quadrangle[static_cast<std::size_t>((lowest + k) % 4)]); };
  const Vec3 one = cross(x(1) - x(0), x(2) - x(0)), other = cross(x(2) - x(0), x(3) - x(0)), both = one + other;
  return std::min(dot(one, both), dot(other, both)) > least * dot(both, both);
}

void PolyhedronDivision::append_triangles(std::int64_t face, std::span<const std::int64_t> corners,
                                          std::vector<std::int64_t>& nodes) {
  const std::size_t count = corners.size();
  if (count == 3 || (count == 4 && is_convex(corners))) return append_fan(corners, nodes);
  const auto known = centre_of_face_.find(face);
  std::int64_t centre = 0;
  if (known != centre_of_face_.end()) {
    centre = known->second;
  } else {
    Vec3 mean{}, moment{};
    for (const std::int64_t node : corners) mean = mean + at(node) / static_cast<real>(count);
    real area = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3 &a = at(corners[k]), &b = at(corners[(k + 1) % count]);
      const real of_triangle = norm(cross(a - mean, b - mean));
      area += of_triangle;
      moment = moment + of_triangle / 3 * (a + b + mean);
    }
    centre = add(area > 0 ? moment / area : mean);
    centre_of_face_.emplace(face, centre);
  }
  for (std::size_t k = 0; k < count; ++k) nodes.insert(nodes.end(), {centre, corners[k], corners[(k + 1) % count]});
}

bool PolyhedronDivision::is_cone_from(std::int64_t apex, std::span<const std::int64_t> triangles) const {
  constexpr real least = 1e-3;  // of the mean volume of the tetrahedra
  real all = 0, smallest = 0;
  int parts = 0;
  each_triangle(triangles, [&](std::span<const std::int64_t> triangle) {
    if (std::find(triangle.begin(), triangle.end(), apex) != triangle.end()) return;
    const real part = volume(triangle, at(apex));
    smallest = parts == 0 ? part : std::min(smallest, part);
    all += part;
    ++parts;
  });
  return parts > 0 && smallest > least * all / static_cast<real>(parts);
}

void PolyhedronDivision::append_tetrahedra(int faces, std::span<const std::int64_t> triangles,
                                           std::vector<std::int64_t>& nodes) {
  constexpr int most_faces = 6, most_triangles = 12;
  std::int64_t apex = *std::min_element(triangles.begin(), triangles.end());
  const bool is_small = faces <= most_faces && std::ssize(triangles) <= 3 * most_triangles;
  if (!is_small || !is_cone_from(apex, triangles)) {
    Vec3 mean{}, moment{};
    for (const std::int64_t node : triangles) mean = mean + at(node) / static_cast<real>(triangles.size());
    real all = 0;
    each_triangle(triangles, [&](std::span<const std::int64_t> triangle) {
      const real part = volume(triangle, mean);
      all += part;
      moment = moment + part / 4 * (at(triangle[0]) + at(triangle[1]) + at(triangle[2]) + mean);
    });
    apex = add(all > 0 ? moment / all : mean);
  }
  each_triangle(triangles, [&](std::span<const std::int64_t> triangle) {
    if (std::find(triangle.begin(), triangle.end(), apex) != triangle.end()) return;
    nodes.insert(nodes.end(), {apex, triangle[0], triangle[1], triangle[2]});
  });
}

}  // namespace solenoid
