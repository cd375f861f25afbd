#include "model/point_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace solenoid {

namespace {

constexpr double same_place = 1e-7, thin = 1e-6, off_plane = 0.01;  // shares of the extent

PointInSpace difference(const PointInSpace& a, const PointInSpace& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double product(const PointInSpace& a, const PointInSpace& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
PointInSpace cross_product(const PointInSpace& a, const PointInSpace& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
PointInSpace scaled(double factor, const PointInSpace& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
PointInSpace unit(const PointInSpace& a) { return scaled(1 / std::sqrt(product(a, a)), a); }

std::string text_of(const PointInSpace& x) { return message("({}, {}, {})", x[0], x[1], x[2]); }

/// The indices of points in the order of their coordinates: the same points whatever their order.
std::vector<int> sorted(const std::vector<PointInSpace>& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return points[a] < points[b]; });
  return order;
}

/// The first of the points with the largest `size`.
template <class Size>
int largest(const std::vector<int>& order, const Size& size) {
  return *std::max_element(order.begin(), order.end(), [&](int a, int b) { return size(a) < size(b); });
}

}  // namespace

PointInterpolation::PointInterpolation(const std::vector<PointInSpace>& points, bool along_curve) {
  require_input(!points.empty(), [] { return "no points"; });
  const std::vector<int> order = sorted(points);
  origin_ = points[order.front()];
  const auto from_origin = [&](int i) { return difference(points[i], origin_); };
  const int far = largest(order, [&](int i) { return product(from_origin(i), from_origin(i)); });
  extent_ = std::sqrt(product(from_origin(far), from_origin(far)));
  first_axis_ = extent_ > 0 ? unit(from_origin(far)) : PointInSpace{1, 0, 0};
  const auto across = [&](int i) {
    const PointInSpace d = from_origin(i);
    return difference(d, scaled(product(d, first_axis_), first_axis_));
  };
  const int aside = largest(order, [&](int i) { return product(across(i), across(i)); });
  const double width = std::sqrt(product(across(aside), across(aside)));
  const bool is_line = width <= thin * extent_;
  if (!is_line) second_axis_ = unit(across(aside));
  const PointInSpace normal = cross_product(first_axis_, second_axis_);
  const auto off = [&](int i) { return std::abs(product(from_origin(i), normal)); };
  const int worst = largest(order, off);
  require_input(off(worst) <= off_plane * extent_, [&] {
    return message("{} is {:.3g} m off the plane of the points, which are {:.3g} m apart", text_of(points[worst]),
                   off(worst), extent_);
  });
  for (const PointInSpace& x : points) points_.push_back(in_plane(x));
  if (is_line || along_curve) {
    order_along_line(points, along_curve);
  } else {
    triangulate(points);
    triangles_.empty() ? order_along_line(points, along_curve) : sort_into_boxes();
  }
}

PointInterpolation::InPlane PointInterpolation::in_plane(const PointInSpace& x) const {
  const PointInSpace d = difference(x, origin_);
  return {product(d, first_axis_), product(d, second_axis_)};
}

void PointInterpolation::order_along_line(const std::vector<PointInSpace>& points, bool along_curve) {
  along_.resize(points_.size());
  std::iota(along_.begin(), along_.end(), 0);
  std::sort(along_.begin(), along_.end(), [&](int a, int b) { return points_[a] < points_[b]; });
  double length = 0;
  for (std::size_t k = 1; k < along_.size(); ++k) {
    length += std::hypot(points_[along_[k]][0] - points_[along_[k - 1]][0],
                         points_[along_[k]][1] - points_[along_[k - 1]][1]);
    const int a = std::min(along_[k - 1], along_[k]), b = std::max(along_[k - 1], along_[k]);
    require_input(points_[along_[k]][0] - points_[along_[k - 1]][0] > same_place * extent_, [&] {
      return message("{} and {} are at the same place{}", text_of(points[a]), text_of(points[b]),
                     along_curve ? " along the curve" : "");
    });
  }
  constexpr double longest = 2;  // a semicircle has pi/2
  require_input(length <= longest * extent_, [&] {
    return message(
        "the points do not follow one another along a curve: from end to end they are {:.3g} m apart, and "
        "{:.3g} m from one to the next",
        extent_, length);
  });
}

void PointInterpolation::triangulate(const std::vector<PointInSpace>& points) {
  constexpr double far = std::numeric_limits<double>::infinity();
  InPlane low{far, far}, high{-far, -far};
  for (const InPlane& x : points_) {
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  }
  const double side = std::max(high[0] - low[0], high[1] - low[1]), step = side / static_cast<double>(delaunay_grid);
  std::vector<std::pair<GridPoint, int>> on_grid;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    on_grid.push_back({{std::llround((points_[i][0] - low[0]) / step), std::llround((points_[i][1] - low[1]) / step)},
                       static_cast<int>(i)});
  }
  std::sort(on_grid.begin(), on_grid.end());
  std::vector<GridPoint> grid_points;
  for (std::size_t i = 0; i < on_grid.size(); ++i) {
    grid_points.push_back(on_grid[i].first);
    require_input(i == 0 || on_grid[i].first != on_grid[i - 1].first, [&] {
      return message("{} and {} are at the same place", text_of(points[on_grid[i - 1].second]),
                     text_of(points[on_grid[i].second]));
    });
  }
  triangles_ = delaunay_triangles(grid_points);
  std::vector<char> is_kept;
  for (DelaunayTriangle& triangle : triangles_) {
    for (int& point : triangle.points) point = on_grid[static_cast<std::size_t>(point)].second;
    // Rounding to the grid leaves slivers where points on the hull are on a line.
    double area = 0, longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const InPlane &a = points_[triangle.points[k]], &b = points_[triangle.points[(k + 1) % 3]];
      area += (a[0] - low[0]) * (b[1] - low[1]) - (b[0] - low[0]) * (a[1] - low[1]);
      longest = std::max(longest, std::hypot(b[0] - a[0], b[1] - a[1]));
    }
    constexpr double round_off = 1e-7;  // some steps of the grid
    is_kept.push_back(area > round_off * extent_ * longest);
  }
  std::vector<DelaunayTriangle> kept;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    if (!is_kept[t]) continue;
    kept.push_back(triangles_[t]);
    for (std::size_t k = 0; k < 3; ++k) {
      const int beyond = triangles_[t].neighbours[k];
      if (beyond >= 0 && is_kept[static_cast<std::size_t>(beyond)]) continue;
      hull_.push_back({triangles_[t].points[(k + 1) % 3], triangles_[t].points[(k + 2) % 3]});
    }
  }
  triangles_ = std::move(kept);
}

void PointInterpolation::sort_into_boxes() {
  const double slack = 1e-7 * extent_;
  std::vector<BoxTree::Box> boxes;
  for (const DelaunayTriangle& triangle : triangles_) {
    const InPlane &a = points_[triangle.points[0]], &b = points_[triangle.points[1]], &c = points_[triangle.points[2]];
    BoxTree::Box& box = boxes.emplace_back();
    for (std::size_t k = 0; k < 2; ++k) {
      box.low[k] = std::min({a[k], b[k], c[k]}) - slack;
      box.high[k] = std::max({a[k], b[k], c[k]}) + slack;
    }
  }
  boxes_ = BoxTree(boxes);
}

PointInterpolation::Place PointInterpolation::on_line(const InPlane& x) const {
  if (along_.size() == 1) return {{along_[0], along_[0], along_[0]}, {0, 0}, false};
  const auto is_before = [&](double at, int point) { return at < points_[point][0]; };
  const auto after = std::upper_bound(along_.begin() + 1, along_.end() - 1, x[0], is_before);
  const int a = *(after - 1), b = *after;
  const double share = (x[0] - points_[a][0]) / (points_[b][0] - points_[a][0]);
  const bool is_beyond =
      x[0] < points_[along_.front()][0] - thin * extent_ || x[0] > points_[along_.back()][0] + thin * extent_;
  return {{a, b, b}, {std::clamp(share, 0.0, 1.0), 0}, is_beyond};
}

bool PointInterpolation::is_in(const DelaunayTriangle& triangle, const InPlane& x, Place& place) const {
  const InPlane &a = points_[triangle.points[0]], &b = points_[triangle.points[1]], &c = points_[triangle.points[2]];
  const auto area = [&a](const InPlane& p, const InPlane& q) {
    return (p[0] - a[0]) * (q[1] - a[1]) - (p[1] - a[1]) * (q[0] - a[0]);
  };
  const double whole = area(b, c), of_b = area(x, c) / whole, of_c = area(b, x) / whole;
  constexpr double round_off = 1e-9;
  if (of_b < -round_off || of_c < -round_off || of_b + of_c > 1 + round_off) return false;
  place = {triangle.points, {of_b, of_c}, false};
  return true;
}

PointInterpolation::Place PointInterpolation::on_hull(const InPlane& x) const {
  Place nearest{};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [from, to] : hull_) {
    const InPlane &a = points_[from], &b = points_[to];
    const InPlane along{b[0] - a[0], b[1] - a[1]}, d{x[0] - a[0], x[1] - a[1]};
    const double share =
        std::clamp((d[0] * along[0] + d[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]), 0.0, 1.0);
    const double distance = std::hypot(d[0] - share * along[0], d[1] - share * along[1]);
    if (distance >= least) continue;
    least = distance;
    nearest = {{from, to, to}, {share, 0}, distance > thin * extent_};
  }
  return nearest;
}

PointInterpolation::Place PointInterpolation::place_of(const Vec3& point) const {
  const InPlane x = in_plane({point.x, point.y, point.z});
  if (!along_.empty()) return on_line(x);
  Place place{};
  for (const int t : boxes_.around(x)) {
    if (is_in(triangles_[t], x, place)) return place;
  }
  return on_hull(x);
}

}  // namespace solenoid
