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

std::string stl_place(const StlPoint& p) { return message("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]); }

class Divider {
 public:
  Divider(StlTriangles mesh, double degrees, const std::string& file) : file_(file) {
    result_.mesh = std::move(mesh);
    connect();
    orient_alike();
    swap_slivers();
    find_edges(std::cos(degrees * std::acos(-1.0) / 180));
    result_.surface_of = parts([&](const Edge& edge) { return !is_edge(edge); });
    result_.surfaces = 1 + *std::max_element(result_.surface_of.begin(), result_.surface_of.end());
    drop_edges_within_surfaces();
    collect_shells();
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
      hole.box.include(vec3_of(point(a))), hole.box.include(vec3_of(point(b)));
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
    const Vec3 a = vec3_of(point(corner(t, 0)));
    return cross(vec3_of(point(corner(t, 1))) - a, vec3_of(point(corner(t, 2))) - a);
  }

  /// The longest edge of a triangle with its three corners on a line, as far as they tell points apart; 3: they are
  /// not.
  std::size_t base_of_sliver(int t) const {
    std::size_t longest = 0;
    const auto length = [&](std::size_t k) {
      return norm(vec3_of(point(corner(t, k + 1))) - vec3_of(point(corner(t, k))));
    };
    for (std::size_t k = 1; k < 3; ++k) {
      if (length(k) > length(longest)) longest = k;
    }
    constexpr double same_point = 1e-6;
    return norm(normal(t)) <= same_point * result_.mesh.extent * length(longest) ? longest : 3;
  }

  /// Slivers have no normal: each and the triangle beyond its longest edge become two triangles across their other
  /// diagonal, which lie on the latter.
  void swap_slivers() {
    std::vector<int> open;
    for (int t = 0; t < static_cast<int>(count()); ++t) {
      if (base_of_sliver(t) < 3) open.push_back(t);
    }
    const std::size_t most = 10 * (open.size() + 1);  // else they go round in circles
    for (std::size_t swaps = 0; !open.empty(); ++swaps) {
      const int t = open.back();
      open.pop_back();
      const std::size_t k = base_of_sliver(t);
      if (k == 3) continue;
      const int a = corner(t, k), b = corner(t, k + 1), c = corner(t, k + 2), other = beyond(t, edge_of(t, k));
      int d = -1;
      for (std::size_t j = 0; j < 3; ++j) {
        if (corner(other, j) != a && corner(other, j) != b) d = corner(other, j);
      }
      require_input(swaps < most && d != c && at_edge_.count(std::minmax(c, d)) == 0, [&] {
        return message(
            "{}: the triangle at {}, {} and {} has no area, and is folded onto its neighbours; repair the "
            "surface, in MeshLab or in Blender for example",
            file_, stl_place(point(a)), stl_place(point(b)), stl_place(point(c)));
      });
      const auto replace = [&](const Edge& edge, int before, int now) {
        std::vector<int>& both = at_edge_.at(edge);
        *std::find(both.begin(), both.end(), before) = now;
      };
      replace(std::minmax(b, c), t, other);
      replace(std::minmax(a, d), other, t);
      at_edge_.erase(std::minmax(a, b));
      at_edge_[std::minmax(c, d)] = {t, other};
      result_.mesh.triangles[static_cast<std::size_t>(t)] = {a, d, c};
      result_.mesh.triangles[static_cast<std::size_t>(other)] = {d, b, c};
      result_.mesh.solid_of[static_cast<std::size_t>(t)] = result_.mesh.solid_of[static_cast<std::size_t>(other)];
      open.insert(open.end(), {t, other});
    }
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

  /// Where normals turn by so much, but the triangles on both sides are joined around the end of the edge.
  void drop_edges_within_surfaces() {
    std::erase_if(result_.edges, [&](const std::array<int, 2>& edge) {
      const std::vector<int>& both = at_edge_.at({edge[0], edge[1]});
      return result_.surface_of[static_cast<std::size_t>(both[0])] ==
             result_.surface_of[static_cast<std::size_t>(both[1])];
    });
  }

  struct Shell {
    std::vector<int> triangles;
    Box box;
    double volume = 0;
    Vec3 sample;  // on it
    int depth = 0, around = -1;
  };

  void collect_shells() {
    shells_.resize(static_cast<std::size_t>(1 + *std::max_element(shell_of_.begin(), shell_of_.end())));
    for (int t = 0; t < static_cast<int>(count()); ++t) {
      Shell& shell = shells_[static_cast<std::size_t>(shell_of_[static_cast<std::size_t>(t)])];
      shell.triangles.push_back(t);
      for (std::size_t k = 0; k < 3; ++k) shell.box.include(vec3_of(point(corner(t, k))));
    }
    for (Shell& shell : shells_) {
      double area = 0, largest = 0;
      for (const int t : shell.triangles) {
        const Vec3 a = vec3_of(point(corner(t, 0))), b = vec3_of(point(corner(t, 1))), c = vec3_of(point(corner(t, 2)));
        const double now = norm(normal(t)) / 2;
        shell.volume += dot(a - shell.box.low, normal(t)) / 6;
        area += now;
        if (now > largest) largest = now, shell.sample = (a + b + c) / 3;
      }
      constexpr double same_point = 1e-6;  // thinner shells cannot be told from two surfaces that lie on each other
      require_input(2 * std::abs(shell.volume) > same_point / 10 * result_.mesh.extent * area, [&] {
        return message(
            "{}: {} triangles from {} to {} lie on each other and enclose nothing: remove doubled triangles, "
            "in MeshLab or in Blender for example",
            file_, shell.triangles.size(), text_of_place(shell.box.low), text_of_place(shell.box.high));
      });
      if (shell.volume < 0) turn_round(shell);
      shell.volume = std::abs(shell.volume);
    }
  }

  void turn_round(const Shell& shell) {
    for (const int t : shell.triangles) {
      auto& triangle = result_.mesh.triangles[static_cast<std::size_t>(t)];
      std::swap(triangle[1], triangle[2]);
    }
  }

  /// Whether the point is inside the shell: the solid angle of it is then 4 pi. Van Oosterom & Strackee (1983), eq.
  /// (8).
  bool is_inside(const Vec3& p, const Shell& shell) const {
    const Vec3 above = p - shell.box.low, below = shell.box.high - p;
    if (std::min({above.x, above.y, above.z, below.x, below.y, below.z}) < 0) return false;
    double angle = 0;
    for (const int t : shell.triangles) {
      const Vec3 a = vec3_of(point(corner(t, 0))) - p, b = vec3_of(point(corner(t, 1))) - p,
                 c = vec3_of(point(corner(t, 2))) - p;
      const double la = norm(a), lb = norm(b), lc = norm(c);
      angle += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return std::abs(angle) > 2 * std::acos(-1.0);
  }

  std::vector<int> surfaces_of(const Shell& shell) const {
    std::vector<int> surfaces;
    for (const int t : shell.triangles) surfaces.push_back(result_.surface_of[static_cast<std::size_t>(t)]);
    std::sort(surfaces.begin(), surfaces.end());
    surfaces.erase(std::unique(surfaces.begin(), surfaces.end()), surfaces.end());
    return surfaces;
  }

  void find_volumes() {
    for (Shell& shell : shells_) {
      for (int outer = 0; outer < static_cast<int>(shells_.size()); ++outer) {
        const Shell& other = shells_[static_cast<std::size_t>(outer)];
        if (&other == &shell || other.volume <= shell.volume || !is_inside(shell.sample, other)) continue;
        ++shell.depth;
        if (shell.around < 0 || other.volume < shells_[static_cast<std::size_t>(shell.around)].volume)
          shell.around = outer;
      }
    }
    for (int s = 0; s < static_cast<int>(shells_.size()); ++s) {
      const Shell& shell = shells_[static_cast<std::size_t>(s)];
      if (shell.depth % 2 != 0) {
        turn_round(shell);
        continue;
      }
      StlVolume& now = result_.volumes.emplace_back();
      now.push_back(surfaces_of(shell));
      for (const Shell& inner : shells_) {
        if (inner.depth == shell.depth + 1 && inner.around == s) now.push_back(surfaces_of(inner));
      }
    }
  }

  std::string file_;
  StlSurface result_;
  std::map<Edge, std::vector<int>> at_edge_;
  std::vector<int> shell_of_;  // of triangles
  std::vector<Shell> shells_;
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
}

}  // namespace solenoid
