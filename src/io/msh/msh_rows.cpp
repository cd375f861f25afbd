#include "io/msh/msh_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "io/msh/msh_check.hpp"
#include "io/msh/msh_records.hpp"
#include "io/msh/msh_refusals.hpp"
#include "io/msh/node_rows.hpp"
#include "mesh/mesh_rows.hpp"
#include "mesh/row_blocks.hpp"

namespace solenoid {

namespace {

/// A cell or a face of the boundary.
struct ElementRow {
  std::int64_t id;
  int group;                  ///< index into the names, -1: none
  std::array<int, 4> points;  ///< as many as its dimension has
  friend bool operator<(const ElementRow& a, const ElementRow& b) { return a.id < b.id; }
};

/// Refuses elements with the same nodes.
void check_distinct_rows(const Comm& comm, const std::vector<ElementRow>& elements, int dimension,
                         const std::vector<std::string>& names, const std::string& file) {
  using Key = std::array<std::int64_t, 6>;  // its points in ascending order, its number and group
  const auto corners = static_cast<std::size_t>(dimension) + 1;
  const auto key_of = [&](const ElementRow& element) {
    Key key{};
    std::sort(key.begin(), std::copy_n(element.points.begin(), corners, key.begin()));
    key[4] = element.id;
    key[5] = element.group;
    return key;
  };
  std::vector<std::int64_t> hashes;
  for (const ElementRow& element : elements) {
    const Key key = key_of(element);
    hashes.push_back(hash_of_corners(std::span(key).first(corners)));
  }
  std::int64_t may_repeat = 0;
  check_neighbours(comm, sorted_over_ranks(comm, std::move(hashes)),
                   [&](std::int64_t a, std::int64_t b) { may_repeat |= a == b ? 1 : 0; });
  if (comm.max(may_repeat) == 0) return;
  std::vector<Key> keys;
  std::transform(elements.begin(), elements.end(), std::back_inserter(keys), key_of);
  check_neighbours(comm, sorted_over_ranks(comm, std::move(keys)), [&](const Key& a, const Key& b) {
    if (!std::equal(a.begin(), a.begin() + 4, b.begin())) return;
    const auto named = [&](const Key& key) {
      return NamedElement{key[4], group_in_words(names, static_cast<int>(key[5]))};
    };
    refuse_same_nodes(named(a), named(b), dimension, file);
  });
}

/// The elements of `dimension` of this rank in physical groups and, with `ungrouped`, the others; `names`: of the
/// groups with elements on any rank. Collective.
std::vector<ElementRow> own_elements(const Comm& comm, const MshRecords& records, int dimension, bool ungrouped,
                                     const ElementNodes& nodes, std::vector<std::string>& names,
                                     const std::string& file) {
  const MshElements& own = records.elements[static_cast<std::size_t>(dimension)];
  const auto corners = static_cast<std::size_t>(dimension) + 1;
  std::vector<std::string> all_names;
  std::vector<std::int64_t> counts;  // of elements in each group
  std::vector<ElementRow> elements;
  comm.guard([&] {
    std::map<int, std::vector<int>> groups_of_entity;
    for (const MshGroup& group : groups_of(records, dimension, file)) {
      for (const int entity : group.entities) groups_of_entity[entity].push_back(static_cast<int>(all_names.size()));
      all_names.push_back(group.name);
    }
    counts.resize(all_names.size(), 0);
    const auto named = [&](std::int64_t id, int group) { return NamedElement{id, group_in_words(all_names, group)}; };
    elements.reserve(ungrouped ? own.ids.size() : 0);
    std::size_t k = 0;
    for (const auto& [entity, end] : own.runs) {
      const std::vector<int>& groups = groups_of_entity[entity];
      const int group = groups.empty() ? -1 : groups[0];
      if (groups.size() > 1) refuse_same_nodes(named(own.ids[k], group), named(own.ids[k], groups[1]), dimension, file);
      if (group < 0 && !ungrouped) k = end;
      for (; k < end; ++k) {
        const auto ids = std::span<const std::int64_t>(own.nodes).subspan(corners * k, corners);
        check_corners(ids, own.ids[k], file);
        if (group >= 0) ++counts[static_cast<std::size_t>(group)];
        ElementRow& element = elements.emplace_back(ElementRow{own.ids[k], group, {}});
        for (std::size_t j = 0; j < corners; ++j) {
          element.points[j] = nodes.point_of(ids[j]);
          if (element.points[j] < 0) refuse_foreign_node(ids[j], named(element.id, group), file);
        }
      }
    }
  });
  comm.sum(std::span(counts));
  std::vector<int> place;  // of a group among those with elements
  for (std::size_t group = 0; group < counts.size(); ++group) {
    place.push_back(static_cast<int>(names.size()));
    if (counts[group] > 0) names.push_back(all_names[group]);
  }
  for (ElementRow& element : elements) {
    if (element.group >= 0) element.group = place[static_cast<std::size_t>(element.group)];
  }
  return elements;
}

/// The points of cells. Collective.
void take_points(const Comm& comm, const NodeRows& nodes, const LengthUnits& unit, MeshSource& mesh) {
  Box box;
  comm.guard([&] {
    for (std::size_t n = 0; n < nodes.nodes.size(); ++n) {
      if (!nodes.is_of_cell[n]) continue;
      const auto& [id, x] = nodes.nodes[n];
      mesh.point_ids.push_back(id);
      mesh.points.push_back(position_of_node(x.data(), unit, id, mesh.name));
      box.include(mesh.points.back());
    }
  });
  box = box_of_ranks(comm, box);
  comm.guard([&] {
    if (mesh.dimension == 2) check_plane(box, mesh.name);
  });
  mesh.points = in_even_blocks(comm, std::move(mesh.points));
  mesh.point_ids = in_even_blocks(comm, std::move(mesh.point_ids));
}

}  // namespace

std::string obstacle_to_rows(const Comm& comm, const std::filesystem::path& file, const std::string& name) {
  std::string obstacle;
  comm.guard([&] {
    if (!comm.is_root()) return;
    const MshFormat format = format_of_msh(file, name);
    if (!format.binary) {
      obstacle = "it is a text file";
    } else if (format.version != MshVersion::v4_1) {
      obstacle = "it is of format 2.2";
    } else {
      const FileMesh headers = check_msh(file, name, headers_only);
      const std::string& others = headers.divided.empty() ? headers.curved : headers.divided;
      if (!others.empty()) obstacle = "it has " + others;
    }
  });
  return comm.broadcast(obstacle);
}

MeshSource read_msh_rows(const Comm& comm, const std::filesystem::path& file, const LengthUnits& unit,
                         const std::string& name) {
  FileMesh found;
  comm.guard([&] { found = check_msh(file, name, {comm.rank(), comm.size()}); });
  std::vector<std::int64_t> ids;
  for (const MshElements& elements : found.records.elements) {
    ids.insert(ids.end(), elements.ids.begin(), elements.ids.end());
  }
  check_neighbours(comm, sorted_over_ranks(comm, std::move(ids)), [&](std::int64_t a, std::int64_t b) {
    if (a == b) refuse_second("$Elements", "element", a, name);
  });
  MeshSource mesh;
  mesh.dimension = found.dimension;
  mesh.name = name;
  NodeRows nodes = sorted_nodes(comm, found.records, name);
  std::vector<ElementRow> cells, faces;
  const int dimension = mesh.dimension;
  {
    const ElementNodes own = find_element_nodes(comm, nodes, found, name);
    cells = own_elements(comm, found.records, dimension, true, own, mesh.regions, name);
    faces = own_elements(comm, found.records, dimension - 1, false, own, mesh.patches, name);
    found = FileMesh();
  }
  cells = sorted_over_ranks(comm, std::move(cells));
  faces = sorted_over_ranks(comm, std::move(faces));
  check_distinct_rows(comm, cells, dimension, mesh.regions, name);
  check_distinct_rows(comm, faces, dimension - 1, mesh.patches, name);
  const std::int64_t count = comm.sum(std::int64_t{std::ssize(cells)});
  comm.guard([&] {
    check_boundary_names(mesh.patches, dimension, count, name);
    count_on_rank((dimension + 1) * std::ssize(cells), "corners of cells");
  });
  take_points(comm, nodes, unit, mesh);
  for (const ElementRow& cell : cells) {
    mesh.cell_ids.push_back(cell.id);
    mesh.cell_region.push_back(cell.group);
    mesh.cells.insert(mesh.cells.end(), cell.points.begin(), cell.points.begin() + dimension + 1);
  }
  for (const ElementRow& face : faces) {
    mesh.boundary_patch.push_back(face.group);
    mesh.boundary_faces.insert(mesh.boundary_faces.end(), face.points.begin(), face.points.begin() + dimension);
  }
  return mesh;
}

}  // namespace solenoid
