#include "io/msh/msh_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "io/msh/element_quality.hpp"
#include "io/msh/msh_refusals.hpp"
#include "io/msh/node_index.hpp"
#include "io/msh/paired_division.hpp"

namespace solenoid {

namespace {

/// Elements of one dimension, by ascending number.
struct Elements {
  int corners;
  std::vector<std::int64_t> ids;
  std::vector<int> groups;          ///< index into `names` per element, -1: none
  std::vector<std::int64_t> nodes;  ///< the file's node numbers, `corners` per element
  std::vector<std::string> names;   ///< of the groups with elements

  std::size_t size() const { return ids.size(); }
  std::span<const std::int64_t> nodes_of(std::size_t element) const {
    const auto count = static_cast<std::size_t>(corners);
    return std::span(nodes).subspan(element * count, count);
  }
  std::string group_name(std::size_t element) const { return group_in_words(names, groups[element]); }
};

/// Adds all elements of these entities, run by run.
template <class IsWanted>
void append(Elements& elements, const MshElements& from, int group, const IsWanted& is_wanted) {
  const auto corners = static_cast<std::size_t>(elements.corners);
  const auto place = [](const auto& list, std::size_t at) { return list.begin() + static_cast<std::ptrdiff_t>(at); };
  std::size_t begin = 0;
  for (const auto& [entity, end] : from.runs) {
    if (is_wanted(entity)) {
      elements.ids.insert(elements.ids.end(), place(from.ids, begin), place(from.ids, end));
      elements.groups.insert(elements.groups.end(), end - begin, group);
      elements.nodes.insert(elements.nodes.end(), place(from.nodes, corners * begin), place(from.nodes, corners * end));
    }
    begin = end;
  }
}

void sort_by_id(Elements& elements) {
  if (std::is_sorted(elements.ids.begin(), elements.ids.end())) return;
  std::vector<std::size_t> order(elements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return elements.ids[a] < elements.ids[b]; });
  Elements sorted{.corners = elements.corners, .ids = {}, .groups = {}, .nodes = {}, .names = elements.names};
  for (const std::size_t k : order) {
    sorted.ids.push_back(elements.ids[k]);
    sorted.groups.push_back(elements.groups[k]);
    const std::span<const std::int64_t> nodes = elements.nodes_of(k);
    sorted.nodes.insert(sorted.nodes.end(), nodes.begin(), nodes.end());
  }
  elements = std::move(sorted);
}

/// True if two elements may have the same nodes.
bool may_repeat(const Elements& elements) {
  std::vector<std::int64_t> sums;
  sums.reserve(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) sums.push_back(hash_of_corners(elements.nodes_of(k)));
  std::sort(sums.begin(), sums.end());
  return std::adjacent_find(sums.begin(), sums.end()) != sums.end();
}

/// Refuses elements with a repeated node, and elements with the same nodes.
void check_distinct(const Elements& elements, const std::string& file) {
  using Corners = std::array<std::int64_t, 4>;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    check_corners(elements.nodes_of(k), elements.ids[k], file);
  }
  if (!may_repeat(elements)) return;
  std::vector<std::pair<Corners, std::size_t>> keys(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    Corners& key = keys[k].first;
    keys[k].second = k;
    const std::span<const std::int64_t> nodes = elements.nodes_of(k);
    std::sort(key.begin(), std::copy(nodes.begin(), nodes.end(), key.begin()));
  }
  std::sort(keys.begin(), keys.end());
  const auto same =
      std::adjacent_find(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same == keys.end()) return;
  const std::size_t a = same->second, b = std::next(same)->second;
  refuse_same_nodes({elements.ids[a], elements.group_name(a)}, {elements.ids[b], elements.group_name(b)},
                    elements.corners - 1, file);
}

/// The elements of `dimension` in physical groups and, with `ungrouped`, the others.
Elements elements_of(const MshRecords& records, int dimension, bool ungrouped, const std::string& file) {
  const MshElements& all = records.elements[static_cast<std::size_t>(dimension)];
  Elements elements{.corners = dimension + 1, .ids = {}, .groups = {}, .nodes = {}, .names = {}};
  std::unordered_set<int> in_groups;
  for (const MshGroup& group : groups_of(records, dimension, file)) {
    const std::size_t before = elements.size();
    const std::unordered_set<int> entities(group.entities.begin(), group.entities.end());
    append(elements, all, static_cast<int>(elements.names.size()),
           [&](int entity) { return entities.count(entity) != 0; });
    in_groups.insert(entities.begin(), entities.end());
    if (elements.size() > before) elements.names.push_back(group.name);
  }
  if (ungrouped) append(elements, all, -1, [&](int entity) { return in_groups.count(entity) == 0; });
  sort_by_id(elements);
  check_distinct(elements, file);
  return elements;
}

/// Positions of the indexed points [m]; all of them are among the nodes.
std::vector<Vec3> positions(const MshRecords& records, const NodeIndex& index, const LengthUnits& unit,
                            const std::string& file) {
  std::vector<Vec3> points(index.ids().size());
  for (std::size_t n = 0; n < records.node_ids.size(); ++n) {
    const int at = index.find(records.node_ids[n]);
    if (at < 0) continue;
    points[static_cast<std::size_t>(at)] = position_of_node(&records.positions[3 * n], unit, records.node_ids[n], file);
  }
  return points;
}

/// The measure of a simplex times `dimension` factorial, with its orientation; 0 if it is flat but for round-off.
real oriented_measure(const MeshSource& mesh, int cell) {
  const std::span<const int> nodes = mesh.points_of_cell(cell);
  const auto edge = [&](std::size_t k) {
    return mesh.points[static_cast<std::size_t>(nodes[k])] - mesh.points[static_cast<std::size_t>(nodes[0])];
  };
  const Vec3 normal = cross(edge(1), edge(2)), third = mesh.dimension == 2 ? Vec3{0, 0, 1} : edge(3);
  const real measure = dot(normal, third);
  return std::abs(measure) > real(1e-12) * norm(edge(1)) * norm(edge(2)) * norm(third) ? measure : 0;
}

/// Refuses elements that turned inside out where they were divided: their simplices have one number and orientation.
void check_divided(const MeshSource& mesh, const std::string& file) {
  int first = 0;  // simplex of the element
  for (int cell = 1; cell < mesh.cell_count(); ++cell) {
    const std::int64_t id = mesh.cell_ids[static_cast<std::size_t>(cell)];
    if (id != mesh.cell_ids[static_cast<std::size_t>(first)]) {
      first = cell;
      continue;
    }
    require_input(oriented_measure(mesh, first) * oriented_measure(mesh, cell) >= 0, [&] {
      return message(
          "{}: element {} is not convex, or so warped that it cannot be divided into {}; mesh the geometry again; a "
          ".geo without `Recombine` has triangles and tetrahedra",
          file, id, mesh.dimension == 2 ? "triangles" : "tetrahedra");
    });
  }
}

}  // namespace

bool LengthUnits::is_valid() const {
  return std::isfinite(x) && std::isfinite(y) && std::isfinite(z) && x > 0 && y > 0 && z > 0;
}

std::string LengthUnits::text() const { return x == y && y == z ? message("{}", x) : message("[{}, {}, {}]", x, y, z); }

MeshSource mesh_of_records(const MshRecords& records, int dimension, const LengthUnits& unit, const std::string& file) {
  Elements cells = elements_of(records, dimension, true, file);
  const Elements boundary = elements_of(records, dimension - 1, false, file);
  check_boundary_names(boundary.names, dimension, std::ssize(cells.ids), file);
  require_input(cells.nodes.size() <= std::numeric_limits<int>::max(), [&] {
    return message("{}: {} cells are more than Solenoid can number ({})", file, cells.size(),
                   std::numeric_limits<int>::max() / cells.corners);
  });

  const NodeIndex index({cells.nodes});
  MeshSource mesh;
  mesh.dimension = dimension;
  mesh.name = file;
  mesh.points = positions(records, index, unit, file);
  if (dimension == 2) {
    Box box;
    for (const Vec3& p : mesh.points) box.include(p);
    check_plane(box, file);
  }
  mesh.point_ids = index.ids();
  mesh.cells.reserve(cells.nodes.size());
  for (const std::int64_t id : cells.nodes) mesh.cells.push_back(index.find(id));
  mesh.cell_ids = std::move(cells.ids);
  check_divided(mesh, file);
  mesh.cell_region = std::move(cells.groups);
  mesh.regions = std::move(cells.names);
  for (std::size_t k = 0; k < boundary.nodes.size(); ++k) {
    mesh.boundary_faces.push_back(index.find(boundary.nodes[k]));
    if (mesh.boundary_faces.back() < 0) {
      const std::size_t face = k / static_cast<std::size_t>(boundary.corners);
      refuse_foreign_node(boundary.nodes[k], {boundary.ids[face], boundary.group_name(face)}, file);
    }
  }
  mesh.boundary_patch = boundary.groups;
  mesh.patches = boundary.names;
  return mesh;
}

MeshSource mesh_of_file(FileMesh found, const LengthUnits& unit, const PatchPairs& pairs, const std::string& file,
                        const std::function<void(const std::string&)>& say) {
  if (!found.divided.empty()) {
    say(message("{}: divided {} into {}", file, found.divided,
                found.dimension == 2 ? "triangles" : "tetrahedra and triangles"));
  }
  if (!found.curved.empty()) say(message("{}: read {} by their corners, with straight edges", file, found.curved));
  MeshSource mesh = mesh_of_records(found.records, found.dimension, unit, file);
  if (divide_alike(found.records, mesh, pairs)) {
    mesh = {};  // not two of them
    mesh = mesh_of_records(found.records, found.dimension, unit, file);
  }
  if (!found.divided.empty()) {
    const std::string shapes = text_of_shapes(found.records.divided, mesh);
    if (!shapes.empty()) say(message("{}: {}", file, shapes));
  }
  return mesh;
}

}  // namespace solenoid
