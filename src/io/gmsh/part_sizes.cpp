#include "io/gmsh/part_sizes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/mesh_forecast.hpp"

namespace solenoid {

namespace {

real gap_to(const Box& box, const Vec3& p) {
  const auto beyond = [](real x, real low, real high) { return std::max<real>({low - x, 0, x - high}); };
  return norm(
      Vec3{beyond(p.x, box.low.x, box.high.x), beyond(p.y, box.low.y, box.high.y), beyond(p.z, box.low.z, box.high.z)});
}

real gap_to(const SizeBall& ball, const Vec3& p) { return std::max<real>(0, norm(p - ball.centre) - ball.radius); }

real gap_to(const SizeCylinder& cylinder, const Vec3& p) {
  const Vec3 axis = cylinder.to - cylinder.from;
  const real length = norm(axis), along = dot(p - cylinder.from, axis) / length;
  const real across = norm(p - cylinder.from - along / length * axis);
  return std::hypot(std::max<real>({-along, 0, along - length}), std::max<real>(0, across - cylinder.radius));
}

/// Distances to the nearest of many points, not farther than a bound: cells of that length, of which 27 are looked
/// through, and coarser ones around them.
class Points {
 public:
  Points(std::vector<Vec3> points, double spacing) : points_(std::move(points)), spacing_(spacing) {
    for (const Vec3& p : points_) box_.include(p);
    for (double length = spacing_; levels_.size() < 24; length *= 2) {
      auto& level = levels_.emplace_back();
      for (int n = 0; n < static_cast<int>(points_.size()); ++n)
        level.try_emplace(key_of(points_[static_cast<std::size_t>(n)], length, 0, 0, 0), n);
      if (level.size() <= 8) break;
    }
    for (int n = 0; n < static_cast<int>(points_.size()); ++n)
      finest_.emplace(key_of(points_[static_cast<std::size_t>(n)], spacing_, 0, 0, 0), n);
  }

  /// To a point at most the diagonal of a cell farther than the nearest one; exact near the points.
  double distance(const Vec3& p) const {
    double length = spacing_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t level = 0; level < levels_.size(); ++level, length *= 2) {
      for (int k = 0; k < 27; ++k) {
        const Key key = key_of(p, length, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        if (level == 0) {
          const auto [begin, end] = finest_.equal_range(key);
          for (auto found = begin; found != end; ++found) include(found->second, p, least);
        } else if (const auto found = levels_[level].find(key); found != levels_[level].end()) {
          include(found->second, p, least);
        }
      }
      if (std::isfinite(least)) return least;
    }
    for (const auto& [key, n] : levels_.back()) include(n, p, least);
    return least;
  }

 private:
  using Key = std::uint64_t;

  Key key_of(const Vec3& p, double length, int x, int y, int z) const {
    Key key = 0;
    for (const auto& [at, low, step] : {std::tuple{p.x, box_.low.x, x}, {p.y, box_.low.y, y}, {p.z, box_.low.z, z}}) {
      const auto cell = static_cast<std::int64_t>(std::floor((at - low) / length)) + step;
      key = (key ^ static_cast<Key>(cell)) * 0x9E3779B97F4A7C15ull;
    }
    return key;
  }
  void include(int n, const Vec3& p, double& least) const {
    least = std::min<double>(least, norm(points_[static_cast<std::size_t>(n)] - p));
  }

  std::vector<Vec3> points_;
  double spacing_;
  Box box_;
  std::unordered_multimap<Key, int> finest_;
  std::vector<std::unordered_map<Key, int>> levels_;  // one point of each cell, twice as long in each level
};

struct PointHash {
  std::size_t operator()(const std::array<real, 3>& x) const {
    std::uint64_t hash = 0;
    for (const real at : x) hash = (hash ^ std::bit_cast<std::uint64_t>(at)) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 32;
  }
};
using PointSet = std::unordered_set<std::array<real, 3>, PointHash>;

/// Appends points on simplices, no farther from each other than half of `spacing`, those that are not in `known`: edges
/// are halved until they are short, in two simplices at the same point. False: they are too many.
bool sample(const std::vector<Vec3>& corners, int count, double spacing, PointSet& known, std::vector<Vec3>& points) {
  std::vector<std::vector<Vec3>> open;
  for (std::size_t k = 0; k + static_cast<std::size_t>(count) <= corners.size(); k += static_cast<std::size_t>(count)) {
    const auto begin = corners.begin() + static_cast<std::ptrdiff_t>(k);
    open.emplace_back(begin, begin + count);
  }
  constexpr std::size_t most = 2'000'000;
  while (!open.empty()) {
    std::vector<Vec3> simplex = std::move(open.back());
    open.pop_back();
    std::size_t from = 0, to = 1;
    real longest = 0;
    for (std::size_t a = 0; a < simplex.size(); ++a) {
      for (std::size_t b = a + 1; b < simplex.size(); ++b) {
        const real length = norm(simplex[b] - simplex[a]);
        if (length > longest) longest = length, from = a, to = b;
      }
    }
    if (longest <= spacing / 2) {
      for (const Vec3& p : simplex) {
        if (known.insert({p.x, p.y, p.z}).second) points.push_back(p);
      }
      if (points.size() > most) return false;
      continue;
    }
    const Vec3 middle = (simplex[from] + simplex[to]) / 2;
    std::vector<Vec3> other = simplex;
    simplex[from] = other[to] = middle;
    open.push_back(std::move(simplex));
    open.push_back(std::move(other));
  }
  return true;
}

/// Sizes around surfaces: on them `size`, whatever the facets of the sample.
struct NearPatches {
  std::set<int> entities;
  Points points;
  double size, growth;
};

}  // namespace

namespace {

Box box_of(const SizePatches&) { return {{}, {}}; }
Box box_of(const Box& box) { return box; }
Box box_of(const SizeBall& ball) {
  const Vec3 radius{ball.radius, ball.radius, ball.radius};
  return {ball.centre - radius, ball.centre + radius};
}
Box box_of(const SizeCylinder& cylinder) {
  Box box = box_of(SizeBall{cylinder.from, cylinder.radius});
  const Box other = box_of(SizeBall{cylinder.to, cylinder.radius});
  box.include(other.low), box.include(other.high);
  return box;
}

/// Whether a ray from `p` meets the triangle; in the plane the segment.  Moeller & Trumbore (1997).
bool is_met(const Vec3& p, const Vec3* x, int dimension) {
  const Vec3 ray{1, real(0.0137), dimension == 2 ? 0 : real(0.0071)};  // along no edge, as far as can be
  const Vec3 u = x[1] - x[0], v = dimension == 2 ? Vec3{0, 0, 1} : x[2] - x[0], from = p - x[0];
  const Vec3 across = cross(ray, v);
  const real volume = dot(u, across);
  if (volume == 0) return false;
  const Vec3 other = cross(from, u);
  const real a = dot(from, across) / volume, b = dimension == 2 ? 0 : dot(ray, other) / volume;
  return a >= 0 && b >= 0 && a + b < 1 && dot(v, other) / volume > 0;
}

/// By the parity of the surfaces around that a ray meets.
bool is_inside(const PartModel& part, const Vec3& p) {
  bool inside = false;
  const auto count = static_cast<std::size_t>(part.dimension);
  for (const PartSurface& surface : part.surfaces) {
    if (surface.volumes.size() > 1) continue;
    for (std::size_t k = 0; k + count <= surface.corners.size(); k += count)
      inside = inside != is_met(p, &surface.corners[k], part.dimension);
  }
  return inside;
}

real gap_to(const SizePatches&, const Vec3&) { return std::numeric_limits<real>::infinity(); }

}  // namespace

double cells_in_places(const PartModel& part, const std::vector<PartSize>& sizes) {
  const auto reaches = [](const PartSize& size, const Vec3& p) {
    return std::visit([&](const auto& place) { return gap_to(place, p) <= 0; }, size.place);
  };
  constexpr int along = 8;
  constexpr double few = 1e5;
  double sum = 0;
  for (const PartSize& wanted : sizes) {
    Box box = std::visit([](const auto& place) { return box_of(place); }, wanted.place);
    box.low = {std::max(box.low.x, part.box.low.x), std::max(box.low.y, part.box.low.y),
               std::max(box.low.z, part.box.low.z)};
    box.high = {std::min(box.high.x, part.box.high.x), std::min(box.high.y, part.box.high.y),
                std::min(box.high.z, part.box.high.z)};
    const Vec3 size = box.size();
    const bool is_plane = part.dimension == 2;
    if (size.x <= 0 || size.y <= 0 || (is_plane ? size.z < 0 : size.z <= 0)) continue;
    const double cells = size.x * size.y * (is_plane ? 1 : size.z) * cells_per_volume(wanted.size, part.dimension);
    if (cells < few) continue;
    const int layers = is_plane ? 1 : along;
    int inside = 0;
    for (int k = 0; k < along * along * layers; ++k) {
      const auto middle = [&](int n, int of) { return (real(n) + real(0.5)) / real(of); };
      const Vec3 p = box.low + Vec3{middle(k % along, along) * size.x, middle(k / along % along, along) * size.y,
                                    middle(k / along / along, layers) * size.z};
      if (!reaches(wanted, p)) continue;
      const bool is_shortest = std::none_of(sizes.begin(), sizes.end(), [&](const PartSize& other) {
        const bool goes_first = other.size < wanted.size || (other.size == wanted.size && &other < &wanted);
        return goes_first && reaches(other, p);
      });
      inside += is_shortest && is_inside(part, p);
    }
    sum += cells * inside / (along * along * layers);
  }
  return sum;
}

double usual_size(const PartModel& part) { return part.extent / 20; }

void set_sizes(const PartModel& part, const PartNames& names, const std::optional<double>& size,
               const PartSettings& settings, const std::string& file) {
  const double largest = size.value_or(usual_size(part));
  double least = largest / 10;
  std::vector<std::function<double(const Vec3&)>> places;
  std::vector<NearPatches> patches;
  for (const PartSize& wanted : settings.sizes) {
    require_input(!settings.size_min || wanted.size >= *settings.size_min, [&] {
      return message("{}: `size` in [[mesh.sizes]] is {}, below `size_min` in [mesh], {}", file, wanted.size,
                     *settings.size_min);
    });
    require_input(wanted.size <= largest, [&] {
      return message("{}: `size` in [[mesh.sizes]] is {}, above {}, {}, and would be without effect", file, wanted.size,
                     size ? "`size` in [mesh]" : "a twentieth of the part", largest);
    });
    least = std::min(least, wanted.size);
    if (const auto* of = std::get_if<SizePatches>(&wanted.place)) {
      std::vector<Vec3> points;
      PointSet known;
      std::set<int> entities;
      for (const std::string& name : of->names) {
        require_input(std::find(names.of_surface.begin(), names.of_surface.end(), name) != names.of_surface.end(), [&] {
          const auto near = nearest_name(name, names.of_surface);
          return message("{}: `patches` in [[mesh.sizes]]: there is no group `{}`{}", file, name,
                         near ? ": did you mean `" + *near + "`?" : "");
        });
        for (std::size_t s = 0; s < part.surfaces.size(); ++s) {
          if (names.of_surface[s] != name) continue;
          entities.insert(part.surfaces[s].entities.begin(), part.surfaces[s].entities.end());
          require_input(sample(part.surfaces[s].corners, part.dimension, wanted.size, known, points), [&] {
            return message(
                "{}: [[mesh.sizes]] of `patches`: {} is too short for `{}`, which would have millions of "
                "such edges: take a larger `size`, or a `box`, `cylinder` or `ball` in place of `patches`",
                file, wanted.size, name);
          });
        }
      }
      patches.push_back({std::move(entities), Points(std::move(points), wanted.size), wanted.size, wanted.growth});
    } else {
      places.push_back([wanted](const Vec3& p) {
        const auto distance = [&](const auto& place) -> real {
          if constexpr (std::is_same_v<decltype(place), const SizePatches&>)
            return 0;
          else
            return gap_to(place, p);
        };
        return wanted.size + (wanted.growth - 1) * std::visit(distance, wanted.place);
      });
    }
  }
  gmsh::set_option("Mesh.MeshSizeMax", largest);
  gmsh::set_option("Mesh.MeshSizeMin", settings.size_min.value_or(least));
  gmsh::set_option("Mesh.MeshSizeFromCurvature", settings.per_circle);
  gmsh::set_option("Mesh.MeshSizeFromPoints", 0);
  if (places.empty() && patches.empty()) return;
  const int boundary = part.dimension - 1;
  gmsh::set_size_callback([=, places = std::move(places), patches = std::move(patches)](int dimension, int entity,
                                                                                        double x, double y, double z) {
    const Vec3 p{static_cast<real>(x), static_cast<real>(y), static_cast<real>(z)};
    double now = largest;
    for (const auto& size_at : places) now = std::min(now, size_at(p));
    for (const NearPatches& near : patches) {
      const bool is_on = dimension == boundary && near.entities.count(entity) != 0;
      const double distance = is_on ? 0 : std::max(0.0, near.points.distance(p) - near.size / 2);
      now = std::min(now, near.size + (near.growth - 1) * distance);
    }
    return now;
  });
}

}  // namespace solenoid
