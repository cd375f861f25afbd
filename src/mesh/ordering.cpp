#include "mesh/ordering.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/box.hpp"

namespace solenoid {

namespace {

/// Distance along the Hilbert curve of a lattice point with `bits` bits per axis, by Skilling's transposed form
/// (J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707, 2004).
std::uint64_t hilbert_key(std::array<std::uint32_t, 3> x, int dimension, int bits) {
  const auto n = static_cast<std::size_t>(dimension);
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {  // undo the excess work of the curve's rotations
    const std::uint32_t p = q - 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] & q) {
        x[0] ^= p;
      } else {
        const std::uint32_t t = (x[0] ^ x[i]) & p;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  for (std::size_t i = 1; i < n; ++i) x[i] ^= x[i - 1];  // Gray encode
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    if (x[n - 1] & q) t ^= q - 1;
  }
  for (std::size_t i = 0; i < n; ++i) x[i] ^= t;

  std::uint64_t key = 0;
  for (int b = bits - 1; b >= 0; --b) {
    for (std::size_t i = 0; i < n; ++i) key = key << 1 | (x[i] >> b & 1u);
  }
  return key;
}

}  // namespace

std::vector<int> hilbert_order(const std::vector<Vec3>& points, int dimension) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  if (points.empty()) return order;

  Box box;
  for (const Vec3& p : points) box.include(p);
  const Vec3 low = box.low, size = box.size();
  const double extent = std::max({size.x, size.y, size.z, real{1e-300}});
  const int bits = dimension == 2 ? 31 : 21;
  const double scale = static_cast<double>((std::uint64_t{1} << bits) - 1) / extent;

  std::vector<std::pair<std::uint64_t, int>> places;  // along the curve; those of one lattice point in their order
  places.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 d = points[i] - low;
    const std::array<std::uint32_t, 3> x{static_cast<std::uint32_t>(d.x * scale),
                                         static_cast<std::uint32_t>(d.y * scale),
                                         static_cast<std::uint32_t>(d.z * scale)};
    places.emplace_back(hilbert_key(x, dimension, bits), static_cast<int>(i));
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); ++i) order[i] = places[i].second;
  return order;
}

}  // namespace solenoid
