#include "io/layers/layer_prisms.hpp"

#include "io/msh/element_shapes.hpp"

namespace solenoid {

namespace {

std::vector<std::int64_t> without_flat_ones(std::span<const std::int64_t> simplices, std::size_t size) {
  std::vector<std::int64_t> kept;
  for (std::size_t s = 0; s < simplices.size(); s += size) {
    const std::span<const std::int64_t> nodes = simplices.subspan(s, size);
    bool are_different = true;
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < a; ++b) are_different = are_different && nodes[a] != nodes[b];
    }
    if (are_different) kept.insert(kept.end(), nodes.begin(), nodes.end());
  }
  return kept;
}

}  // namespace

real signed_volume(std::span<const Vec3> x) {
  const Vec3 normal = cross(x[1] - x[0], x[2] - x[0]);
  return x.size() == 3 ? normal.z / 2 : dot(normal, x[3] - x[0]) / 6;
}

std::vector<std::int64_t> simplices_of_prism(std::span<const std::int64_t> bottom, std::span<const std::int64_t> top) {
  std::vector<std::int64_t> corners(bottom.begin(), bottom.end()), simplices;
  const bool is_plane = bottom.size() == 2;
  corners.insert(corners.end(), top.begin(), top.end());
  if (is_plane) std::swap(corners[2], corners[3]);
  append_simplices(is_plane ? ElementShape::quadrangle : ElementShape::prism, corners, simplices);
  return without_flat_ones(simplices, bottom.size() + 1);
}

std::vector<std::int64_t> simplices_of_strip(std::span<const std::int64_t> bottom, std::span<const std::int64_t> top) {
  if (bottom.size() == 1) return without_flat_ones(std::vector<std::int64_t>{bottom[0], top[0]}, 2);
  std::vector<std::int64_t> triangles;
  append_fan(std::vector<std::int64_t>{bottom[0], bottom[1], top[1], top[0]}, triangles);
  return without_flat_ones(triangles, 3);
}

}  // namespace solenoid
