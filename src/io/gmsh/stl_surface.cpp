#include "io/gmsh/stl_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/vec3.hpp"

namespace solenoid {

namespace {

using Edge = std::pair<int, int>;  // the lower place first

Vec3 position_of(const StlPoint& p) {
  return {static_cast<real>(p[0]), static_cast<real>(p[1]), static_cast<real>(p[2])};
}

std::string stl_place(const StlPoint& p) { return message("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]); }

class Divider {
 public:
  Divider(StlTriangles mesh, double degrees, const std::string& file) : file_(file) {
    result_.mesh = std::move(mesh);
    connect();
    orient_alike();
    find_edges(std::cos(degrees * std::acos(-1.0) / 180));
    result_.surface_of = parts([&](const Edge& edge) { return !is_edge(edge); });
    result_.surfaces = 1 + *std::max_element(result_.surface_of.begin(), result_.surface_of.end());
    find_volumes();
  }

  StlSurface result() && { return std::move(result_); }

 private:
  std::size_t count() const { return result_.mesh.triangles.size(); }
  int corner(int t, std::size_t k) const { return result_.mesh.triangles[static_cast<std::size_t>(t)][k % 3]; }
  const StlPoint& point(int p) const { return result_.mesh.points[static_cast<std::size_t>(p)]; }
  Edge edge_of(int t, std::size_t k) const { return std::minmax({corner(t, k), corner(t, k + 1)}); }
  bool is_edge(const Edge& edge) const {
    return std::binary_search(result_.edges.begin(), result_.edges.end(), std::array{edge.first, edge.second});
  }

  /// The triangles of each edge.
  void connect() {
    for (int t = 0; t < static_cast<int>(count()); ++t) {
      for (std::size_t k = 0; k < 3; ++k) at_edge_[edge_of(t, k)].push_back(t);
    }
    std::vector<Edge> open;
    for (const auto& [edge, triangles] : at_edge_) {
      if (triangles.size() == 1) open.push_back(edge);
      require_input(triangles.size() <= 2, [&, &edge = edge, &triangles = triangles] {
        return message(
            "{}: {} triangles meet at the edge from {} to {}, where a surface that encloses something has "
            "two; repair it, in MeshLab or in Blender for example",
            file_, triangles.size(), stl_place(point(edge.first)), stl_place(point(edge.second)));
      });
    }
    if (!open.empty()) refuse_holes(open);
  }

  [[noreturn]] void refuse_holes(const std::vector<Edge>& open) const {
    std::map<int, int> loop_of;  // of points, by a representative
    const auto root = [&](int p) {
      while (loop_of.at(p) != p) p = loop_of.at(p);
      return p;
    };
    for (const auto& [a, b] : open) {
      loop_of.try_emplace(a, a), loop_of.try_emplace(b, b);
      loop_of[root(a)] = root(b);
    }
    struct Hole {
      int edges = 0;
      Box box;
    };
    std::map<int, Hole> holes;
    for (const auto& [a, b] : open) {
      Hole& hole = holes[root(a)];
      ++hole.edges;
      hole.box.include(position_of(point(a))), hole.box.include(position_of(point(b)));
    }
    const auto largest = std::max_element(holes.begin(), holes.end(), [](const auto& a, const auto& b) {
      return norm(a.second.box.size()) < norm(b.second.box.size());
    });
    const Hole& hole = largest->second;
    throw Error(ExitCode::bad_input,
                message("{}: is not closed: it has {} hole{}, {}around {}, {:.3g} across, with {} edges; close {}, in "
                        "MeshLab or in Blender for example",
                        file_, holes.size(), holes.size() == 1 ? "" : "s", holes.size() == 1 ? "" : "the largest ",
                        text_of_place((hole.box.low + hole.box.high) / 2), norm(hole.box.size()), hole.edges,
                        holes.size() == 1 ? "it" : "them"));
  }

  int beyond(int t, const Edge& edge) const {
    const std::vector<int>& both = at_edge_.at(edge);
    return both[0] == t ? both[1] : both[0];
  }

  /// Numbers the parts that triangles form across edges that `joins` allows; `enter` is called for each step.
  template <class Joins, class Enter>
  std::vector<int> parts(const Joins& joins, const Enter& enter) const {
    std::vector<int> part(count(), -1);
    int next = 0;
    for (int start = 0; start < static_cast<int>(count()); ++start) {
      if (part[static_cast<std::size_t>(start)] >= 0) continue;
      std::vector<int> open{start};
      part[static_cast<std::size_t>(start)] = next;
      while (!open.empty()) {
        const int t = open.back();
        open.pop_back();
        for (std::size_t k = 0; k < 3; ++k) {
          const Edge edge = edge_of(t, k);
          const int other = beyond(t, edge);
          if (part[static_cast<std::size_t>(other)] >= 0 || !joins(edge)) continue;
          part[static_cast<std::size_t>(other)] = next;
          enter(other, corner(t, k), corner(t, k + 1));
          open.push_back(other);
        }
      }
      ++next;
    }
    return part;
  }
  template <class Joins>
  std::vector<int> parts(const Joins& joins) const {
    return parts(joins, [](int, int, int) {});
  }

  /// Turns triangles round so that neighbours pass their edge in opposite directions.
  void orient_alike() {
    shell_of_ = parts([](const Edge&) { return true; },
                      [&](int t, int from, int to) {
                        for (std::size_t k = 0; k < 3; ++k) {
                          if (corner(t, k) != from || corner(t, k + 1) != to) continue;
                          auto& triangle = result_.mesh.triangles[static_cast<std::size_t>(t)];
                          std::swap(triangle[1], triangle[2]);
                          return;
                        }
                      });
  }

  Vec3 normal(int t) const {
    const Vec3 a = position_of(point(corner(t, 0)));
    return cross(position_of(point(corner(t, 1))) - a, position_of(point(corner(t, 2))) - a);
  }

  void find_edges(double least_cosine) {
    const std::vector<int>& solid = result_.mesh.solid_of;
    for (const auto& [edge, both] : at_edge_) {
      const Vec3 first = normal(both[0]), second = normal(both[1]);
      const bool turns = dot(first, second) < least_cosine * norm(first) * norm(second);
      if (turns || solid[static_cast<std::size_t>(both[0])] != solid[static_cast<std::size_t>(both[1])]) {
        result_.edges.push_back({edge.first, edge.second});
      }
    }
  }

  double volume_of_shell(int shell) const {
    double volume = 0;
    for (int t = 0; t < static_cast<int>(count()); ++t) {
      if (shell_of_[static_cast<std::size_t>(t)] != shell) continue;
      volume += dot(position_of(point(corner(t, 0))), normal(t)) / 6;
    }
    return volume;
  }

  void turn_round(int shell) {
    for (std::size_t t = 0; t < count(); ++t) {
      if (shell_of_[t] == shell) std::swap(result_.mesh.triangles[t][1], result_.mesh.triangles[t][2]);
    }
  }

  /// Whether the point is inside the shell: the solid angle of it is then 4 pi. Van Oosterom & Strackee (1983), eq.
  /// (8).
  bool is_inside(const Vec3& p, int shell) const {
    double angle = 0;
    for (int t = 0; t < static_cast<int>(count()); ++t) {
      if (shell_of_[static_cast<std::size_t>(t)] != shell) continue;
      const Vec3 a = position_of(point(corner(t, 0))) - p, b = position_of(point(corner(t, 1))) - p,
                 c = position_of(point(corner(t, 2))) - p;
      const double la = norm(a), lb = norm(b), lc = norm(c);
      angle += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return std::abs(angle) > 2 * std::acos(-1.0);
  }

  std::vector<int> surfaces_of_shell(int shell) const {
    std::vector<int> surfaces;
    for (std::size_t t = 0; t < count(); ++t) {
      if (shell_of_[t] == shell) surfaces.push_back(result_.surface_of[t]);
    }
    std::sort(surfaces.begin(), surfaces.end());
    surfaces.erase(std::unique(surfaces.begin(), surfaces.end()), surfaces.end());
    return surfaces;
  }

  void find_volumes() {
    const int shells = 1 + *std::max_element(shell_of_.begin(), shell_of_.end());
    std::vector<double> volume(static_cast<std::size_t>(shells));
    std::vector<Vec3> sample(static_cast<std::size_t>(shells));
    for (int s = 0; s < shells; ++s) {
      double& now = volume[static_cast<std::size_t>(s)];
      now = volume_of_shell(s);
      if (now < 0) turn_round(s);
      now = std::abs(now);
    }
    for (int t = static_cast<int>(count()) - 1; t >= 0; --t) {
      sample[static_cast<std::size_t>(shell_of_[static_cast<std::size_t>(t)])] = position_of(point(corner(t, 0)));
    }
    std::vector<int> depth(static_cast<std::size_t>(shells), 0), around(static_cast<std::size_t>(shells), -1);
    for (int s = 0; s < shells; ++s) {
      for (int outer = 0; outer < shells; ++outer) {
        const double size = volume[static_cast<std::size_t>(outer)];
        if (outer == s || size <= volume[static_cast<std::size_t>(s)]) continue;
        if (!is_inside(sample[static_cast<std::size_t>(s)], outer)) continue;
        ++depth[static_cast<std::size_t>(s)];
        int& nearest = around[static_cast<std::size_t>(s)];
        if (nearest < 0 || size < volume[static_cast<std::size_t>(nearest)]) nearest = outer;
      }
    }
    for (int s = 0; s < shells; ++s) {
      if (depth[static_cast<std::size_t>(s)] % 2 != 0) {
        turn_round(s);
        continue;
      }
      StlVolume& now = result_.volumes.emplace_back();
      now.push_back(surfaces_of_shell(s));
      for (int inner = 0; inner < shells; ++inner) {
        const bool is_cavity = depth[static_cast<std::size_t>(inner)] == depth[static_cast<std::size_t>(s)] + 1;
        if (is_cavity && around[static_cast<std::size_t>(inner)] == s) now.push_back(surfaces_of_shell(inner));
      }
    }
  }

  std::string file_;
  StlSurface result_;
  std::map<Edge, std::vector<int>> at_edge_;
  std::vector<int> shell_of_;
};

}  // namespace

StlSurface divide_stl(StlTriangles mesh, double degrees, const std::string& file) {
  return Divider(std::move(mesh), degrees, file).result();
}

void append_box(StlTriangles& mesh, const StlPoint& low, const StlPoint& high,
                const std::array<std::string, 6>& names) {
  const int first = static_cast<int>(mesh.points.size()), solid = static_cast<int>(mesh.solids.size());
  for (int corner = 0; corner < 8; ++corner) {
    mesh.points.push_back(
        {corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]});
  }
  constexpr int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (int side = 0; side < 6; ++side) {
    const auto& [a, b, c, d] = sides[side];
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
    mesh.solid_of.insert(mesh.solid_of.end(), 2, solid + side);
    mesh.solids.push_back(names[static_cast<std::size_t>(side)]);
  }
  for (std::size_t k = 0; k < 3; ++k) mesh.extent = std::max(mesh.extent, high[k] - low[k]);
}

}  // namespace solenoid
