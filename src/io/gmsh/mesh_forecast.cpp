#include "io/gmsh/mesh_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/vec3.hpp"
#include "io/gmsh/gmsh_library.hpp"

namespace solenoid {

namespace {

/// Positions of the nodes of a trial mesh.
class TrialNodes {
 public:
  TrialNodes() {
    const auto [ids, x] = gmsh::nodes();
    for (std::size_t n = 0; n < ids.size(); ++n) {
      at_[ids[n]] = {static_cast<real>(x[3 * n]), static_cast<real>(x[3 * n + 1]), static_cast<real>(x[3 * n + 2])};
    }
  }
  const Vec3& at(std::size_t id) const { return at_.at(id); }

 private:
  std::unordered_map<std::size_t, Vec3> at_;
};

std::vector<std::size_t> nodes_of_elements(int dimension, int entity) {
  for (const gmsh::Elements& elements : gmsh::elements(dimension, entity)) {
    if (elements.type == dimension) return elements.nodes;  // Gmsh's numbers: 1 for lines, 2 for triangles
  }
  return {};
}

/// Division of a curve: its number of edges and the longest edge.
struct Division {
  double edges = 0, longest = 0;
};
using Divisions = std::map<int, Division>;

Divisions divide_curves(double factor) {
  gmsh::set_option("Mesh.MeshSizeFactor", factor);
  gmsh::clear_mesh();
  gmsh::generate_mesh(1);
  const TrialNodes nodes;
  Divisions divisions;
  for (const auto& curve : gmsh::entities(1)) {
    const std::vector<std::size_t> ends = nodes_of_elements(1, curve.second);
    Division& division = divisions[curve.second];
    division.edges = static_cast<double>(ends.size() / 2);
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
      division.longest = std::max<double>(division.longest, norm(nodes.at(ends[k + 1]) - nodes.at(ends[k])));
    }
  }
  return divisions;
}

double total_edges(const Divisions& divisions) {
  double sum = 0;
  for (const auto& curve : divisions) sum += curve.second.edges;
  return sum;
}

/// For each curve, an upper bound of the length and a lower bound of the number of its final edges.
Divisions without_factor(Divisions trial, const Divisions& coarsest, double factor) {
  for (auto& [curve, division] : trial) {
    constexpr double resolved = 4;
    if (division.edges < resolved * std::max(coarsest.at(curve).edges, 1.0)) continue;  // its length may be final
    division.edges *= factor;
    division.longest /= factor;
  }
  return trial;
}

/// Area of the mesh on `surfaces`, and the enclosed volume if they are closed.
struct Extent {
  double area = 0, volume = 0;
};

Extent extent_of(const std::vector<int>& surfaces, const TrialNodes& nodes) {
  std::vector<std::size_t> corners;
  for (const int surface : surfaces) {
    const std::vector<std::size_t> more = nodes_of_elements(2, surface);
    corners.insert(corners.end(), more.begin(), more.end());
  }
  const std::size_t count = corners.size() / 3;
  Extent extent;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> triangles_at;  // by edge
  const auto corner = [&](std::size_t t, std::size_t k) { return corners[3 * t + k % 3]; };
  for (std::size_t t = 0; t < count; ++t) {
    const Vec3 &a = nodes.at(corner(t, 0)), &b = nodes.at(corner(t, 1)), &c = nodes.at(corner(t, 2));
    extent.area += norm(cross(b - a, c - a)) / 2;
    for (std::size_t k = 0; k < 3; ++k) triangles_at[std::minmax(corner(t, k), corner(t, k + 1))].push_back(t);
  }
  // Each shell is oriented from one of its triangles; the largest is outside, the others are cavities.
  std::vector<int> turn(count, 0);
  double sum = 0, largest = 0;
  for (std::size_t start = 0; start < count; ++start) {
    if (turn[start] != 0) continue;
    double volume = 0;
    std::vector<std::size_t> open{start};
    turn[start] = 1;
    while (!open.empty()) {
      const std::size_t t = open.back();
      open.pop_back();
      volume += turn[t] * dot(nodes.at(corner(t, 0)), cross(nodes.at(corner(t, 1)), nodes.at(corner(t, 2)))) / 6;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::vector<std::size_t>& both = triangles_at[std::minmax(corner(t, k), corner(t, k + 1))];
        if (both.size() != 2) return extent;  // not closed
        const std::size_t other = both[0] == t ? both[1] : both[0];
        if (turn[other] != 0) continue;
        bool same_way = false;
        for (std::size_t j = 0; j < 3; ++j)
          same_way = same_way || (corner(other, j) == corner(t, k) && corner(other, j + 1) == corner(t, k + 1));
        turn[other] = same_way ? -turn[t] : turn[t];
        open.push_back(other);
      }
    }
    sum += std::abs(volume);
    largest = std::max(largest, std::abs(volume));
  }
  extent.volume = std::max(0.0, 2 * largest - sum);
  return extent;
}

std::vector<int> boundary_of(const gmsh::Entities& entities) {
  std::vector<int> tags;
  for (const auto& entity : gmsh::boundary(entities)) tags.push_back(entity.second);
  return tags;
}

double longest_edge(const std::vector<int>& curves, const Divisions& divisions) {
  double longest = 0;
  for (const int curve : curves) {
    const auto found = divisions.find(curve);
    if (found != divisions.end()) longest = std::max(longest, found->second.longest);
  }
  return longest;
}

/// Cells of the highest dimension, from areas and volumes of Gmsh's present trial mesh.
double cells_between(const Divisions& divisions, int dimension) {
  const TrialNodes nodes;
  const bool grows_inwards = gmsh::number_option("Mesh.MeshSizeExtendFromBoundary") != 0;
  double cells = 0;
  for (const auto& entity : gmsh::entities(dimension)) {
    const std::vector<int> boundary = boundary_of({entity});
    const std::vector<int> surfaces = dimension == 2 ? std::vector<int>{entity.second} : boundary;
    std::vector<int> curves = boundary;
    if (dimension == 3) {
      curves.clear();
      for (const int surface : boundary) {
        const std::vector<int> more = boundary_of({{2, surface}});
        curves.insert(curves.end(), more.begin(), more.end());
      }
    }
    const double edge = longest_edge(curves, divisions);
    if (!(edge > 0) || !grows_inwards) continue;
    const Extent extent = extent_of(surfaces, nodes);
    cells += (dimension == 2 ? extent.area : extent.volume) * cells_per_volume(edge, dimension);
  }
  return cells;
}

/// Upper bound of cells_between(): the cells that fill the box around the model with the shortest edges.
double most_cells(const Divisions& divisions, int dimension) {
  double edge = std::numeric_limits<double>::infinity();
  for (const auto& curve : divisions) {
    if (curve.second.longest > 0) edge = std::min(edge, curve.second.longest);
  }
  const gmsh::Extents size = gmsh::extents_of_model();
  return size.x * size.y * (dimension == 2 ? 1 : size.z) * cells_per_volume(edge, dimension);
}

bool has_mesh() { return !gmsh::nodes().ids.empty(); }

}  // namespace

double cells_per_volume(double edge, int dimension) {
  const double triangle = std::sqrt(3.0) / 4;  // area of the equilateral one of edge 1
  constexpr double tetrahedron = 0.15;         // volume over the cubed edge, measured
  return 1 / (dimension == 2 ? triangle * edge * edge : tetrahedron * edge * edge * edge);
}

double bytes_per_cell(int dimension) {
  constexpr double triangle = 800, tetrahedron = 700;  // measured: peak memory of `solenoid check`
  return dimension == 2 ? triangle : tetrahedron;
}

MeshForecast forecast_mesh(int dimension, double bytes_left) {
  constexpr double coarsest_factor = 1e15, enough_edges = 20000, few_edges = 200;
  if (has_mesh()) return {};
  const double own_factor = gmsh::number_option("Mesh.MeshSizeFactor");
  double cells = 0;
  try {
    const Divisions coarsest = divide_curves(own_factor * coarsest_factor);
    const double least = total_edges(coarsest);
    Divisions now = coarsest;
    double factor = coarsest_factor, trial_factor = coarsest_factor;
    while (factor > 1 && total_edges(now) < enough_edges + 8 * least) {
      const bool is_close = total_edges(now) > 2 * least + 100 || factor < 2e3;
      factor = std::max(1.0, factor / (is_close ? 8 : 1000));
      now = divide_curves(own_factor * factor);
      if (total_edges(now) < few_edges + 4 * least) trial_factor = factor;
    }
    const Divisions expected = without_factor(now, coarsest, factor);
    cells = total_edges(expected) / (dimension == 2 ? 2 : 1);
    if (bytes_per_cell(dimension) * most_cells(expected, dimension) > bytes_left) {
      divide_curves(own_factor * trial_factor);
      gmsh::generate_mesh(2);
      cells = std::max(cells, cells_between(expected, dimension));
    }
  } catch (...) {  // a geometry that Gmsh cannot mesh this coarsely: the count so far is the result
  }
  gmsh::set_option("Mesh.MeshSizeFactor", own_factor);
  gmsh::clear_mesh();
  return {cells, bytes_per_cell(dimension) * cells};
}

double extent_of_model() {
  const gmsh::Extents size = gmsh::extents_of_model();
  return std::max({size.x, size.y, size.z});
}

}  // namespace solenoid
