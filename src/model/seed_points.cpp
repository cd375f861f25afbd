#include "model/seed_points.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "model/point_sampler.hpp"

namespace solenoid {

namespace {

/// A sequence of points in `dimensions` dimensions, each coordinate in [0, 1).
class Recurrence {
 public:
  explicit Recurrence(int dimensions) : dimensions_(dimensions) {
    double ratio = 2;  // x^(d+1) = x + 1
    for (int i = 0; i < 64; ++i) ratio = std::pow(1 + ratio, 1.0 / (dimensions + 1));
    for (int k = 0; k < dimensions; ++k) step_[k] = std::pow(1 / ratio, k + 1);
  }
  double operator()(std::int64_t point, int coordinate) const {
    if (coordinate >= dimensions_) return 0.5;
    const double place = 0.5 + static_cast<double>(point + 1) * step_[coordinate];
    return place - std::floor(place);
  }

 private:
  int dimensions_;
  double step_[3] = {};
};

/// The successive candidates of a place; nullopt if a candidate lies outside it.
class Candidates {
 public:
  Candidates(const PlaceOfPoints& place, int dimension)
      : place_(place), dimension_(dimension), sequence_(dimensions_of(place, dimension)) {}

  std::optional<Vec3> operator()(std::int64_t i) const {
    if (const auto* const ball = std::get_if<BallOfPoints>(&place_)) {
      const auto coordinate = [&](int k) { return k < dimension_ ? static_cast<real>(2 * sequence_(i, k) - 1) : 0; };
      const Vec3 x{coordinate(0), coordinate(1), coordinate(2)};
      return norm(x) <= 1 ? std::optional(ball->centre + ball->radius * x) : std::nullopt;
    }
    const auto& box = std::get<BoxOfPoints>(place_);
    int next = 0;
    const auto between = [&](real from, real to) {
      return from == to ? from : from + static_cast<real>(sequence_(i, next++)) * (to - from);
    };
    const real x = between(box.from.x, box.to.x), y = between(box.from.y, box.to.y), z = between(box.from.z, box.to.z);
    return Vec3{x, y, z};
  }

 private:
  static int dimensions_of(const PlaceOfPoints& place, int dimension) {
    const auto* const box = std::get_if<BoxOfPoints>(&place);
    if (!box) return dimension;
    const Vec3 extent = box->to - box->from;
    return std::max(1, (extent.x != 0) + (extent.y != 0) + (extent.z != 0));
  }

  PlaceOfPoints place_;
  int dimension_;
  Recurrence sequence_;
};

}  // namespace

std::vector<Vec3> seed_points(const LocalMesh& mesh, const PlaceOfPoints& place, int count, const std::string& what) {
  const auto wanted = static_cast<std::size_t>(count);
  const std::int64_t most = 1000 * std::int64_t{count} + 100'000;  // candidates
  const Candidates candidates(place, mesh.dimension());
  std::vector<Vec3> found;
  std::int64_t next = 0;
  for (std::int64_t batch = 2 * std::int64_t{count} + 64; found.size() < wanted && next < most; batch *= 2) {
    std::vector<Vec3> tried;
    for (const std::int64_t end = std::min(most, next + std::min<std::int64_t>(batch, 1'000'000)); next < end; ++next) {
      if (const auto x = candidates(next)) tried.push_back(*x);
    }
    const PointSampler points(mesh, tried);
    for (std::size_t i = 0; i < tried.size() && found.size() < wanted; ++i) {
      if (points.is_inside()[i]) found.push_back(tried[i]);
    }
  }
  require_on_all_ranks(
      found.size() == wanted,
      [&] {
        return message("{}: of {} places there {} lie in the mesh, expected {}: move it, or take a smaller `count`",
                       what, next, found.size(), wanted);
      },
      ExitCode::bad_input);
  return found;
}

}  // namespace solenoid
