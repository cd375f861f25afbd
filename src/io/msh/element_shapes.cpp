#include "io/msh/element_shapes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace solenoid {

namespace {

using Faces = std::vector<std::vector<std::size_t>>;

struct Properties {
  int dimension, corners;
  const char* plural;
  Faces faces;  ///< of solids that are divided: places of their corners, anticlockwise from outside
};

const Properties& properties_of(ElementShape shape) {
  static const std::array<Properties, 8> all{{
      {0, 1, "points", {}},
      {1, 2, "lines", {}},
      {2, 3, "triangles", {}},
      {2, 4, "quadrangles", {}},
      {3, 4, "tetrahedra", {}},
      {3, 8, "hexahedra", {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
      {3, 6, "prisms", {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
      {3, 5, "pyramids", {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}},
  }};
  return all[static_cast<std::size_t>(shape)];
}

/// Calls `use` with the corners of each triangle of a polygon: a fan from its lowest number.
template <class Use>
void divide_polygon(std::span<const std::int64_t> polygon, const Use& use) {
  const std::size_t count = polygon.size();
  const auto lowest = static_cast<std::size_t>(std::min_element(polygon.begin(), polygon.end()) - polygon.begin());
  const auto corner = [&](std::size_t k) { return polygon[(lowest + k) % count]; };
  for (std::size_t k = 1; k + 1 < count; ++k) use(corner(0), corner(k), corner(k + 1));
}

}  // namespace

int dimension_of(ElementShape shape) { return properties_of(shape).dimension; }
int corners_of(ElementShape shape) { return properties_of(shape).corners; }
const char* plural_of(ElementShape shape) { return properties_of(shape).plural; }
bool is_simplex(ElementShape shape) { return corners_of(shape) == dimension_of(shape) + 1; }

void append_fan(std::span<const std::int64_t> polygon, std::vector<std::int64_t>& nodes) {
  divide_polygon(polygon, [&](auto... triangle) { nodes.insert(nodes.end(), {triangle...}); });
}

void append_simplices(ElementShape shape, std::span<const std::int64_t> corners, std::vector<std::int64_t>& nodes) {
  if (is_simplex(shape)) {
    nodes.insert(nodes.end(), corners.begin(), corners.end());
  } else if (dimension_of(shape) == 2) {
    append_fan(corners, nodes);
  } else {
    const std::int64_t apex = *std::min_element(corners.begin(), corners.end());
    std::array<std::int64_t, 4> face;
    for (const std::vector<std::size_t>& places : properties_of(shape).faces) {
      const std::span<std::int64_t> polygon(face.data(), places.size());
      std::transform(places.begin(), places.end(), polygon.begin(), [&](std::size_t at) { return corners[at]; });
      if (std::find(polygon.begin(), polygon.end(), apex) != polygon.end()) continue;
      divide_polygon(polygon, [&](auto... triangle) { nodes.insert(nodes.end(), {apex, triangle...}); });
    }
  }
}

}  // namespace solenoid
