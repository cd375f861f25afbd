#include "model/delaunay.hpp"

#include <algorithm>
#include <utility>

namespace solenoid {

namespace {

__extension__ using Wide = __int128;

/// Twice the area of a triangle: positive if its points run counter-clockwise.
std::int64_t doubled_area(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Whether `d` lies inside the circle through a, b, c, which run counter-clockwise.
bool is_in_circle(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
  const auto from_d = [&d](const GridPoint& p) { return GridPoint{p[0] - d[0], p[1] - d[1]}; };
  const auto cross = [](const GridPoint& p, const GridPoint& q) { return Wide{p[0]} * q[1] - Wide{p[1]} * q[0]; };
  const auto square = [](const GridPoint& p) { return Wide{p[0]} * p[0] + Wide{p[1]} * p[1]; };
  const GridPoint p = from_d(a), q = from_d(b), r = from_d(c);
  return square(p) * cross(q, r) + square(q) * cross(r, p) + square(r) * cross(p, q) > 0;
}

/// The triangles so far and their hull, counter-clockwise.
class Sweep {
 public:
  explicit Sweep(const std::vector<GridPoint>& points)
      : points_(points), next_(points.size()), before_(points.size()), on_hull_(points.size()) {}

  std::vector<DelaunayTriangle> run() {
    const std::size_t begun = begin();
    for (std::size_t p = begun; p < points_.size(); ++p) add(static_cast<int>(p));
    return std::move(triangles_);
  }

 private:
  std::int64_t area(int a, int b, int c) const { return doubled_area(points_[a], points_[b], points_[c]); }
  void link(int from, int to) {
    next_[from] = to;
    before_[to] = from;
  }

  /// Joins the first points, which lie on a line, to the next one; returns the number of points done.
  std::size_t begin() {
    std::size_t apex = 2;
    while (apex < points_.size() && doubled_area(points_[0], points_[1], points_[apex]) == 0) ++apex;
    if (apex >= points_.size()) return points_.size();
    const int p = static_cast<int>(apex), last = p - 2;  // the last triangle
    const bool is_left = area(0, 1, p) > 0;
    for (int i = 0; i <= last; ++i) {
      const int before = i > 0 ? i - 1 : -1, after = i < last ? i + 1 : -1;
      if (is_left) {
        triangles_.push_back({{p, i, i + 1}, {-1, after, before}});
        link(i, i + 1);
      } else {
        triangles_.push_back({{p, i + 1, i}, {-1, before, after}});
        link(i + 1, i);
      }
    }
    link(is_left ? p - 1 : 0, p);
    link(p, is_left ? 0 : p - 1);
    for (int i = 0; i <= last; ++i) note_hull(i);
    return apex + 1;
  }

  /// Joins a point beyond the hull to all of its edges that the point sees.
  void add(int p) {
    int first = p - 1;  // the greatest so far, a corner of the hull beside the first edge seen or the last
    while (area(before_[first], first, p) < 0) first = before_[first];
    int end = first, left = -1;
    std::vector<int> suspects;
    while (area(end, next_[end], p) < 0) {
      const int a = end, b = next_[end], old = on_hull_[a], t = static_cast<int>(triangles_.size());
      triangles_.push_back({{p, b, a}, {old, left, -1}});
      replace_neighbour(old, -1, t, a);
      if (left >= 0) triangles_[left].neighbours[2] = t;
      suspects.push_back(t);
      left = t;
      end = b;
    }
    link(first, p);
    link(p, end);
    note_hull(suspects.front());
    note_hull(suspects.back());
    while (!suspects.empty()) {
      const int t = suspects.back();
      suspects.pop_back();
      if (const int other = flip(t); other >= 0) suspects.insert(suspects.end(), {other, t});
    }
  }

  /// The neighbour beyond the edge of `triangle` that begins at `from`, or `old` if `from` is not needed, becomes
  /// `now`.
  void replace_neighbour(int triangle, int old, int now, int from) {
    DelaunayTriangle& of = triangles_[triangle];
    for (int k = 0; k < 3; ++k) {
      if (of.neighbours[k] == old && of.points[(k + 1) % 3] == from) of.neighbours[k] = now;
    }
  }

  /// Notes the edges of a triangle that are on the hull.
  void note_hull(int triangle) {
    const DelaunayTriangle& of = triangles_[triangle];
    for (int k = 0; k < 3; ++k) {
      if (of.neighbours[k] < 0) on_hull_[of.points[(k + 1) % 3]] = triangle;
    }
  }

  /// Exchanges the edge opposite the first point of a triangle for the other diagonal, if the circle around the
  /// triangle has the point beyond that edge inside. Returns the triangle beyond, or -1 if nothing changed. In both the
  /// first point stays the same.
  int flip(int t) {
    const auto [p, b, a] = triangles_[t].points;
    const int o = triangles_[t].neighbours[0];
    if (o < 0) return -1;
    DelaunayTriangle& beyond = triangles_[o];
    const auto k =
        static_cast<int>(std::find(beyond.neighbours.begin(), beyond.neighbours.end(), t) - beyond.neighbours.begin());
    const int d = beyond.points[k];
    if (!is_in_circle(points_[p], points_[b], points_[a], points_[d])) return -1;
    const int beyond_bd = beyond.neighbours[(k + 1) % 3], beyond_da = beyond.neighbours[(k + 2) % 3];
    const auto [unused, beyond_ap, beyond_pb] = triangles_[t].neighbours;
    triangles_[t] = {{p, b, d}, {beyond_bd, o, beyond_pb}};
    beyond = {{p, d, a}, {beyond_da, beyond_ap, t}};
    if (beyond_bd >= 0) replace_neighbour(beyond_bd, o, t, d);
    if (beyond_ap >= 0) replace_neighbour(beyond_ap, t, o, p);
    note_hull(t);
    note_hull(o);
    return o;
  }

  const std::vector<GridPoint>& points_;
  std::vector<DelaunayTriangle> triangles_;
  std::vector<int> next_, before_, on_hull_;  // by point on the hull: its neighbours there, and the triangle after it
};

}  // namespace

std::vector<DelaunayTriangle> delaunay_triangles(const std::vector<GridPoint>& points) { return Sweep(points).run(); }

}  // namespace solenoid
