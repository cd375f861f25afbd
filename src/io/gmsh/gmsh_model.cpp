#include "io/gmsh/gmsh_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "io/gmsh/gmsh_library.hpp"

namespace solenoid {

namespace {

/// A physical group and its entities. Every element of an entity is in all of the entity's groups.
struct Group {
  int number;
  std::string name;
  std::vector<int> entities;
};

/// The groups of one dimension, by number. Format 2.2 assigns groups to elements, not to entities: its files are read
/// with the two numbers exchanged, so that the entities are the groups and entity 0 is in none.
std::vector<Group> groups_of(int dimension, MshVersion version, const std::string& file) {
  std::vector<Group> groups;
  if (version == MshVersion::v2_2) {
    for (const auto& entity : gmsh::entities(dimension)) {
      if (entity.second != 0) groups.push_back({entity.second, "", {entity.second}});
    }
  } else {
    for (const auto& group : gmsh::physical_groups(dimension)) {
      groups.push_back({group.second, "", gmsh::entities_of_group(dimension, group.second)});
    }
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.number < b.number; });
  std::map<std::string, int> numbers;
  for (Group& group : groups) {
    group.name = gmsh::physical_name(dimension, group.number);
    if (group.name.empty()) group.name = std::to_string(group.number);
    const auto placed = numbers.emplace(group.name, group.number);
    require_input(placed.second, [&] {
      return message(
          "{}: the physical groups {} and {} of dimension {} are both called `{}`; give them different names", file,
          placed.first->second, group.number, dimension, group.name);
    });
  }
  return groups;
}

/// Elements of one dimension, by ascending number.
struct Elements {
  int corners;
  std::vector<std::int64_t> ids;
  std::vector<int> groups;         ///< index into `names` per element, -1: none
  std::vector<std::size_t> nodes;  ///< the file's node numbers, `corners` per element
  std::vector<std::string> names;  ///< of the groups with elements

  std::size_t size() const { return ids.size(); }
  std::span<const std::size_t> nodes_of(std::size_t element) const {
    const auto count = static_cast<std::size_t>(corners);
    return std::span(nodes).subspan(element * count, count);
  }
  std::string group_name(std::size_t element) const {
    return groups[element] < 0 ? "no group" : "`" + names[static_cast<std::size_t>(groups[element])] + "`";
  }
};

void append(Elements& elements, int dimension, int entity, int group) {
  for (const gmsh::Elements& more : gmsh::elements(dimension, entity)) {
    elements.ids.insert(elements.ids.end(), more.ids.begin(), more.ids.end());
    elements.groups.insert(elements.groups.end(), more.ids.size(), group);
    elements.nodes.insert(elements.nodes.end(), more.nodes.begin(), more.nodes.end());
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
    const std::span<const std::size_t> nodes = elements.nodes_of(k);
    sorted.nodes.insert(sorted.nodes.end(), nodes.begin(), nodes.end());
  }
  elements = std::move(sorted);
}

/// True if two elements may have the same nodes: equal sums of hashed node numbers.
bool may_repeat(const Elements& elements) {
  const auto corners = static_cast<std::size_t>(elements.corners);
  std::vector<std::uint64_t> sums(elements.size(), 0);
  for (std::size_t slot = 0; slot < elements.nodes.size(); ++slot) {
    std::uint64_t z = (elements.nodes[slot] + 1) * 0x9e3779b97f4a7c15ull;  // splitmix64, Steele et al. 2014
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    sums[slot / corners] += z ^ z >> 31;
  }
  std::sort(sums.begin(), sums.end());
  return std::adjacent_find(sums.begin(), sums.end()) != sums.end();
}

/// Refuses elements with a repeated node, and elements with the same nodes.
void check_distinct(const Elements& elements, const std::string& file) {
  using Corners = std::array<std::size_t, 4>;
  const auto corners = static_cast<std::size_t>(elements.corners);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::span<const std::size_t> nodes = elements.nodes_of(k);
    for (std::size_t i = 1; i < corners; ++i) {
      const auto before = nodes.first(i);
      require_input(std::find(before.begin(), before.end(), nodes[i]) == before.end(), [&] {
        return message("{}: element {} has node {} twice, expected {} different nodes; mesh the geometry again", file,
                       elements.ids[k], nodes[i], corners);
      });
    }
  }
  if (!may_repeat(elements)) return;
  std::vector<std::pair<Corners, std::size_t>> keys(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    Corners& key = keys[k].first;
    keys[k].second = k;
    const std::span<const std::size_t> nodes = elements.nodes_of(k);
    std::sort(key.begin(), std::copy(nodes.begin(), nodes.end(), key.begin()));
  }
  std::sort(keys.begin(), keys.end());
  const auto same =
      std::adjacent_find(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same == keys.end()) return;
  const std::size_t a = same->second, b = std::next(same)->second;
  require_input(elements.groups[a] == elements.groups[b], [&] {
    const std::string both =
        elements.ids[a] == elements.ids[b]
            ? message("element {} is", elements.ids[a])
            : message("elements {} and {} have the same nodes and are", elements.ids[a], elements.ids[b]);
    return message("{}: {} in two physical groups of dimension {}, {} and {}; leave it in one of them", file, both,
                   corners - 1, elements.group_name(a), elements.group_name(b));
  });
  throw Error(ExitCode::bad_input,
              message("{}: elements {} and {} have the same nodes; remove one of them (in a .geo: `Coherence;`)", file,
                      elements.ids[a], elements.ids[b]));
}

/// The elements of `dimension` in physical groups and, with `ungrouped`, the others.
Elements elements_of(int dimension, bool ungrouped, const MshSummary& summary, const std::string& file) {
  Elements elements{.corners = dimension + 1, .ids = {}, .groups = {}, .nodes = {}, .names = {}};
  gmsh::Entities rest = gmsh::entities(dimension);
  for (const Group& group : groups_of(dimension, summary.version, file)) {
    const std::size_t before = elements.size();
    for (const int entity : group.entities) {
      append(elements, dimension, entity, static_cast<int>(elements.names.size()));
      std::erase(rest, std::pair(dimension, entity));
    }
    if (elements.size() > before) elements.names.push_back(group.name);
  }
  if (ungrouped) {
    for (const auto& entity : rest) append(elements, dimension, entity.second, -1);
  }
  const auto read = static_cast<std::int64_t>(elements.size());
  require_input(!ungrouped || read >= summary.cells, [&] {
    return message("{}: Gmsh reads {} of its {} cells; write the mesh again, in format 4.1", file, read, summary.cells);
  });
  sort_by_id(elements);
  check_distinct(elements, file);
  return elements;
}

/// Indices of the cells' points, in ascending order of the file's node numbers.
class PointIndex {
 public:
  explicit PointIndex(const std::vector<std::size_t>& used) {
    const std::size_t highest = used.empty() ? 0 : *std::max_element(used.begin(), used.end());
    if (highest <= used.size()) {  // Gmsh's own numbering: a table by number is small
      index_.assign(highest + 1, -1);
      for (const std::size_t id : used) index_[id] = 0;
      for (std::size_t id = 0; id < index_.size(); ++id) {
        if (index_[id] < 0) continue;
        index_[id] = static_cast<int>(ids_.size());
        ids_.push_back(id);
      }
    } else {
      ids_ = used;
      std::sort(ids_.begin(), ids_.end());
      ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    }
  }
  const std::vector<std::size_t>& ids() const { return ids_; }
  int find(std::size_t id) const {  ///< -1: not a point of a cell
    if (!index_.empty()) return id < index_.size() ? index_[id] : -1;
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    return found == ids_.end() || *found != id ? -1 : static_cast<int>(found - ids_.begin());
  }

 private:
  std::vector<std::size_t> ids_;
  std::vector<int> index_;  // by number; empty if the numbers are sparse
};

/// Positions of the indexed points [m]; refuses missing points and positions that are not finite.
std::vector<Vec3> positions(const PointIndex& index, double scale, const std::string& file) {
  const gmsh::Nodes nodes = gmsh::nodes();
  std::vector<Vec3> points(index.ids().size());
  std::vector<bool> present(points.size(), false);
  for (std::size_t n = 0; n < nodes.ids.size(); ++n) {
    const int at = index.find(nodes.ids[n]);
    if (at < 0) continue;
    const double* x = &nodes.positions[3 * n];
    require_input(std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]), [&] {
      return message("{}: node {} lies at ({}, {}, {}), expected numbers", file, nodes.ids[n], x[0], x[1], x[2]);
    });
    const auto p = static_cast<std::size_t>(at);
    points[p] = {static_cast<real>(scale * x[0]), static_cast<real>(scale * x[1]), static_cast<real>(scale * x[2])};
    present[p] = true;
  }
  const auto missing = static_cast<std::size_t>(std::find(present.begin(), present.end(), false) - present.begin());
  require_input(missing == points.size(), [&] {
    return message("{}: an element has node {}, which is not among the {} nodes of the file", file,
                   index.ids()[missing], nodes.ids.size());
  });
  return points;
}

/// Refuses triangles outside a plane z = const, to within 1e-8 of the mesh's extent.
void check_plane(const std::vector<Vec3>& points, const std::string& file) {
  Box box;
  for (const Vec3& p : points) box.include(p);
  require_input(box.size().z <= real(1e-8) * norm(box.size()), [&] {
    return message(
        "{}: the triangles reach from z = {} to z = {}, and there are no tetrahedra; expected a mesh in a plane "
        "z = const. Rotate it into one, or, for a body, mesh the volume (gmsh -3, with a Physical Volume)",
        file, box.low.z, box.high.z);
  });
}

}  // namespace

MeshSource mesh_of_current_model(const MshSummary& summary, double scale, const std::string& file) {
  const int dimension = summary.dimension;
  const Elements cells = elements_of(dimension, true, summary, file);
  const Elements boundary = elements_of(dimension - 1, false, summary, file);
  require_input(!boundary.names.empty(), [&] {
    return message(
        "{}: the mesh has {} {}, but no physical group of its boundary. Name each part of it in Gmsh, as in: "
        "Physical {}(\"wall\") = {{1, 2, 3}};",
        file, cells.size(), dimension == 2 ? "triangles" : "tetrahedra", dimension == 2 ? "Curve" : "Surface");
  });
  require_input(cells.nodes.size() <= std::numeric_limits<int>::max(), [&] {
    return message("{}: {} cells are more than Solenoid can number ({})", file, cells.size(),
                   std::numeric_limits<int>::max() / cells.corners);
  });

  const PointIndex index(cells.nodes);
  MeshSource mesh;
  mesh.dimension = dimension;
  mesh.name = file;
  mesh.points = positions(index, scale, file);
  if (dimension == 2) check_plane(mesh.points, file);
  mesh.point_ids.assign(index.ids().begin(), index.ids().end());
  mesh.cells.reserve(cells.nodes.size());
  for (const std::size_t id : cells.nodes) mesh.cells.push_back(index.find(id));
  mesh.cell_ids = cells.ids;
  mesh.cell_region = cells.groups;
  mesh.regions = cells.names;
  for (std::size_t k = 0; k < boundary.nodes.size(); ++k) {
    mesh.boundary_faces.push_back(index.find(boundary.nodes[k]));
    require_input(mesh.boundary_faces.back() >= 0, [&] {
      const std::size_t face = k / static_cast<std::size_t>(boundary.corners);
      return message(
          "{}: element {} of the physical group {} has node {}, which belongs to no cell; expected a part of the "
          "boundary of the cells",
          file, boundary.ids[face], boundary.group_name(face), boundary.nodes[k]);
    });
  }
  mesh.boundary_patch = boundary.groups;
  mesh.patches = boundary.names;
  return mesh;
}

}  // namespace solenoid
