#include "mesh/ordering.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/box.hpp"

namespace solenoid {

namespace {

/// Every `dimension`-th bit of the result is one of `value`, the lowest the lowest.
constexpr std::uint64_t spread_bits(std::uint64_t value, int dimension) {
  if (dimension == 2) {
    value = (value | value << 16) & 0x0000ffff0000ffff;
    value = (value | value << 8) & 0x00ff00ff00ff00ff;
    value = (value | value << 4) & 0x0f0f0f0f0f0f0f0f;
    value = (value | value << 2) & 0x3333333333333333;
    return (value | value << 1) & 0x5555555555555555;
  }
  value = (value | value << 32) & 0x001f00000000ffff;
  value = (value | value << 16) & 0x001f0000ff0000ff;
  value = (value | value << 8) & 0x100f00f00f00f00f;
  value = (value | value << 4) & 0x10c30c30c30c30c3;
  return (value | value << 2) & 0x1249249249249249;
}

/// Distance along the Hilbert curve of a lattice point with `bits` bits per axis, by Skilling's transposed form
/// (J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707, 2004), with masks in the place of its branches.
template <int dimension>
std::uint64_t hilbert_key(std::array<std::uint32_t, 3> x, int bits) {
  constexpr std::uint32_t none = 0;
  for (int b = bits - 1; b > 0; --b) {  // undo the excess work of the curve's rotations
    const std::uint32_t low = (1u << b) - 1;
    for (int i = 0; i < dimension; ++i) {
      const std::uint32_t is_set = none - (x[i] >> b & 1u);  // all bits or none
      const std::uint32_t exchanged = (x[0] ^ x[i]) & low & ~is_set;
      x[0] ^= exchanged | (low & is_set);
      x[i] ^= exchanged;
    }
  }
  for (int i = 1; i < dimension; ++i) x[i] ^= x[i - 1];  // Gray encode
  std::uint32_t t = 0;
  for (int b = bits - 1; b > 0; --b) t ^= ((1u << b) - 1) & (none - (x[dimension - 1] >> b & 1u));

  std::uint64_t key = 0;
  for (int i = 0; i < dimension; ++i) key |= spread_bits(x[i] ^ t, dimension) << (dimension - 1 - i);
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
    places.emplace_back(dimension == 2 ? hilbert_key<2>(x, bits) : hilbert_key<3>(x, bits), static_cast<int>(i));
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); ++i) order[i] = places[i].second;
  return order;
}

}  // namespace solenoid
