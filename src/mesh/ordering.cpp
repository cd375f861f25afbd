#include "mesh/ordering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "base/vec3.hpp"
#include "mesh/csr.hpp"

namespace solenoid {

namespace {

/// Moves bit k of `value` to bit k * dimension of the result.
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

constexpr int lanes = 16;  // points processed side by side

/// Of the lattice of the curve.
constexpr int bits_of_axis(int dimension) { return dimension == 2 ? 31 : 21; }

/// Distances along the Hilbert curve of lattice points with `bits` bits per axis, x[axis][point], by Skilling's
/// transposed form (J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707, 2004), with masks instead of its
/// branches.
template <int dimension>
void keys_on_lattice(std::array<std::array<std::uint32_t, lanes>, 3> x, int bits,
                     std::array<std::uint64_t, lanes>& key) {
  constexpr std::uint32_t none = 0;
  for (int b = bits - 1; b > 0; --b) {  // undo the excess work of the curve's rotations
    const std::uint32_t low = (1u << b) - 1;
    for (int i = 0; i < dimension; ++i) {
      for (int l = 0; l < lanes; ++l) {
        const std::uint32_t is_set = none - (x[i][l] >> b & 1u);  // all bits or none
        const std::uint32_t exchanged = (x[0][l] ^ x[i][l]) & low & ~is_set;
        x[0][l] ^= exchanged | (low & is_set);
        x[i][l] ^= exchanged;
      }
    }
  }
  for (int i = 1; i < dimension; ++i) {
    for (int l = 0; l < lanes; ++l) x[i][l] ^= x[i - 1][l];  // Gray encode
  }
  std::array<std::uint32_t, lanes> t{};
  for (int b = bits - 1; b > 0; --b) {
    for (int l = 0; l < lanes; ++l) t[l] ^= ((1u << b) - 1) & (none - (x[dimension - 1][l] >> b & 1u));
  }
  key = {};
  for (int i = 0; i < dimension; ++i) {
    for (int l = 0; l < lanes; ++l) key[l] |= spread_bits(x[i][l] ^ t[l], dimension) << (dimension - 1 - i);
  }
}

/// A point with its key on the curve; points of the same lattice point keep their order.
struct Place {
  std::uint64_t key;
  int point;
  friend bool operator<(const Place& a, const Place& b) { return a.key != b.key ? a.key < b.key : a.point < b.point; }
};

/// Bucket sort by the leading bits of the keys, about as many buckets as points; then a comparison sort in each bucket.
Csr<Place> along_the_curve(const std::vector<std::uint64_t>& keys, int key_bits) {
  const int first_bits = std::min(static_cast<int>(std::bit_width(keys.size())), key_bits),
            rest = key_bits - first_bits;
  Csr<Place> places(1 << first_bits, [&](const auto& visit) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      visit(static_cast<int>(keys[i] >> rest), Place{keys[i], static_cast<int>(i)});
    }
  });
  for (int row = 0; row < places.rows(); ++row) std::sort(places[row].begin(), places[row].end());
  return places;
}

}  // namespace

std::vector<std::uint64_t> hilbert_keys(const std::vector<Vec3>& points, const Box& box, int dimension) {
  const Vec3 low = box.low, size = box.size();
  const double extent = std::max({size.x, size.y, size.z});
  const int bits = bits_of_axis(dimension);
  const double scale = std::min(static_cast<double>((std::uint64_t{1} << bits) - 1) / extent,
                                std::numeric_limits<double>::max());  // coincident points are all at 0

  std::vector<std::uint64_t> keys;
  keys.reserve(points.size());
  std::array<std::array<std::uint32_t, lanes>, 3> x{};
  std::array<std::uint64_t, lanes> key;
  for (std::size_t begin = 0; begin < points.size(); begin += lanes) {
    const std::size_t count = std::min<std::size_t>(lanes, points.size() - begin);
    for (std::size_t l = 0; l < count; ++l) {
      const Vec3 d = points[begin + l] - low;
      x[0][l] = static_cast<std::uint32_t>(d.x * scale);
      x[1][l] = static_cast<std::uint32_t>(d.y * scale);
      x[2][l] = static_cast<std::uint32_t>(d.z * scale);
    }
    if (dimension == 2) {
      keys_on_lattice<2>(x, bits, key);
    } else {
      keys_on_lattice<3>(x, bits, key);
    }
    keys.insert(keys.end(), key.begin(), key.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return keys;
}

std::vector<int> hilbert_order(const std::vector<Vec3>& points, int dimension) {
  std::vector<int> order;
  if (points.empty()) return order;
  Box box;
  for (const Vec3& p : points) box.include(p);
  const Csr<Place> places = along_the_curve(hilbert_keys(points, box, dimension), dimension * bits_of_axis(dimension));
  order.reserve(points.size());
  for (const Place& place : places.entries()) order.push_back(place.point);
  return order;
}

}  // namespace solenoid
