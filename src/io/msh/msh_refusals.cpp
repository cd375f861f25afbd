#include "io/msh/msh_refusals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/fingerprint.hpp"

namespace solenoid {

std::vector<MshGroup> groups_of(const MshRecords& records, int dimension, const std::string& file) {
  std::map<int, std::vector<int>> entities;
  for (const auto& [entity, groups] : records.groups[static_cast<std::size_t>(dimension)]) {
    for (const int group : groups) {
      std::vector<int>& of_group = entities[group];
      if (of_group.empty() || of_group.back() != entity) of_group.push_back(entity);
    }
  }
  std::vector<MshGroup> groups;
  std::map<std::string, int> numbers;
  for (auto& [number, of_group] : entities) {
    const auto name = records.names.find({dimension, number});
    groups.push_back(
        {number, name == records.names.end() ? std::to_string(number) : name->second, std::move(of_group)});
    const auto placed = numbers.emplace(groups.back().name, number);
    require_input(placed.second, [&] {
      const MshGroup& group = groups.back();
      return message(
          "{}: the physical groups {} and {} of dimension {} are both called `{}`; give them different names", file,
          placed.first->second, group.number, dimension, group.name);
    });
  }
  return groups;
}

std::string group_in_words(const std::vector<std::string>& names, int group) {
  return group < 0 ? "no group" : "`" + names[static_cast<std::size_t>(group)] + "`";
}

Vec3 position_of_node(const double* x, const LengthUnits& unit, std::int64_t id, const std::string& file) {
  constexpr real farthest = std::is_same_v<real, float> ? real(1e12) : real(1e70);  // the cube of it is a number
  const Vec3 point{static_cast<real>(unit.x * x[0]), static_cast<real>(unit.y * x[1]),
                   static_cast<real>(unit.z * x[2])};
  const real distance = std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z)});
  require_input(distance <= farthest, [&] {
    return message("{}: node {} is {} m away, expected {} m at most", file, id, distance, farthest);
  });
  return point;
}

void check_plane(const Box& box, const std::string& file) {
  require_input(box.size().z <= real(1e-8) * norm(box.size()), [&] {
    return message(
        "{}: the triangles reach from z = {} to z = {}, and there are no tetrahedra; expected a mesh in a plane "
        "z = const. Rotate it into one, or, for a body, mesh the volume (gmsh -3, with a Physical Volume)",
        file, box.low.z, box.high.z);
  });
}

void check_corners(std::span<const std::int64_t> nodes, std::int64_t id, const std::string& file) {
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const auto before = nodes.first(k);
    require_input(std::find(before.begin(), before.end(), nodes[k]) == before.end(), [&] {
      return message("{}: element {} has node {} twice, expected different nodes; mesh the geometry again", file, id,
                     nodes[k]);
    });
  }
}

std::int64_t hash_of_corners(std::span<const std::int64_t> nodes) {
  Fingerprint sum;
  for (const std::int64_t node : nodes) sum.add(static_cast<std::uint64_t>(node), std::int64_t{0});
  return sum.of_this_rank();
}

void refuse_second(const char* section, const char* kind, std::int64_t id, const std::string& file) {
  throw Error(ExitCode::bad_input,
              message("{}: {}, {} {}: is there a second time, expected a number of its own for each {}", file, section,
                      kind, id, kind));
}

void refuse_same_nodes(const NamedElement& a, const NamedElement& b, int dimension, const std::string& file) {
  const std::string both = a.id == b.id ? message("element {} is", a.id)
                                        : message("elements {} and {} have the same nodes and are", a.id, b.id);
  require_input(a.group == b.group, [&] {
    return message("{}: {} in two physical groups of dimension {}, {} and {}; leave it in one of them", file, both,
                   dimension, a.group, b.group);
  });
  throw Error(ExitCode::bad_input,
              message("{}: elements {} and {} have the same nodes; remove one of them (in a .geo: `Coherence;`)", file,
                      a.id, b.id));
}

void refuse_foreign_node(std::int64_t node, const NamedElement& element, const std::string& file) {
  throw Error(ExitCode::bad_input,
              message("{}: element {} of the physical group {} has node {}, which belongs to no cell; expected a part "
                      "of the boundary of the cells",
                      file, element.id, element.group, node));
}

void check_boundary_names(const std::vector<std::string>& names, int dimension, std::int64_t cells,
                          const std::string& file) {
  require_input(!names.empty(), [&] {
    return message(
        "{}: the mesh has {} {}, but no group of its boundary. Name each part of it, in Gmsh as in: "
        "Physical {}(\"wall\") = {{1, 2, 3}};",
        file, cells, dimension == 2 ? "triangles" : "tetrahedra", dimension == 2 ? "Curve" : "Surface");
  });
}

}  // namespace solenoid
