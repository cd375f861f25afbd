#include "io/msh/msh_sections.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace {
constexpr std::size_t longest_name = 127;  // bytes; Gmsh cuts longer ones

const std::map<int, MshElementType> known_types{
    {1, {2, 1, "lines"}},         {2, {3, 2, "triangles"}},     {3, {4, 2, "quadrangles"}},
    {4, {4, 3, "tetrahedra"}},    {5, {8, 3, "hexahedra"}},     {6, {6, 3, "prisms"}},
    {7, {5, 3, "pyramids"}},      {8, {3, 1, "lines"}},         {9, {6, 2, "triangles"}},
    {10, {9, 2, "quadrangles"}},  {11, {10, 3, "tetrahedra"}},  {12, {27, 3, "hexahedra"}},
    {13, {18, 3, "prisms"}},      {14, {14, 3, "pyramids"}},    {15, {1, 0, "points"}},
    {16, {8, 2, "quadrangles"}},  {17, {20, 3, "hexahedra"}},   {18, {15, 3, "prisms"}},
    {19, {13, 3, "pyramids"}},    {20, {9, 2, "triangles"}},    {21, {10, 2, "triangles"}},
    {22, {12, 2, "triangles"}},   {23, {15, 2, "triangles"}},   {24, {15, 2, "triangles"}},
    {25, {21, 2, "triangles"}},   {26, {4, 1, "lines"}},        {27, {5, 1, "lines"}},
    {28, {6, 1, "lines"}},        {29, {20, 3, "tetrahedra"}},  {30, {35, 3, "tetrahedra"}},
    {31, {56, 3, "tetrahedra"}},  {36, {16, 2, "quadrangles"}}, {37, {25, 2, "quadrangles"}},
    {38, {36, 2, "quadrangles"}}, {92, {64, 3, "hexahedra"}},   {93, {125, 3, "hexahedra"}}};
}  // namespace

void check_physical_names(MshInput& in, MshContents& contents) {
  in.enter("$PhysicalNames", false);
  in.begin_record();
  const std::int64_t count = in.count("the number of names", 7);
  in.end_record();
  std::set<std::pair<int, int>> seen;
  std::map<std::pair<int, std::string>, int> group_of;
  for (std::int64_t k = 0; k < count; ++k) {
    in.set_subject("name", k + 1);
    in.begin_record();
    const int dimension = in.integer("the dimension", 0), group = in.integer("the group's number", 1);
    if (dimension > 3) in.fail(message("found {} for the dimension, expected 0, 1, 2 or 3", dimension));
    std::string_view name = in.line();
    name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
    if (name.size() < 3 || name.front() != '"' || name.find('"', 1) != name.size() - 1) {
      in.fail(message("found `{}`, expected the group's name in quotes", excerpt(name)));
    }
    if (name.size() - 2 > longest_name) {
      in.fail(message("the name {}\" has {} bytes, expected {} at most", excerpt(name), name.size() - 2, longest_name));
    }
    if (!seen.emplace(dimension, group).second) {
      in.fail(
          message("the physical group {} of dimension {} is named a second time, expected one name", group, dimension));
    }
    const auto [other, is_new] = group_of.emplace(std::pair(dimension, std::string(name)), group);
    if (!is_new) {
      in.fail(message("the physical groups {} and {} of dimension {} are both called {}; give them different names",
                      other->second, group, dimension, excerpt(name)));
    }
    contents.records.names[{dimension, group}] = name.substr(1, name.size() - 2);
  }
  in.end_section();
}

MshElementType element_type(const MshInput& in, int type) {
  const auto found = known_types.find(type);
  if (found == known_types.end()) {
    in.fail(
        message("found `{}` for the element type, expected 2 (triangle) or 4 (tetrahedron), with 1 (line) and 15 "
                "(point); the file is damaged or of other elements: mesh the geometry again",
                type));
  }
  return found->second;
}

void require_simplices(const MshInput& in, const MshContents& contents) {
  int dimension = 0;
  bool all_simplices = true;
  std::string census;
  for (int d = 3; d >= 0; --d) {
    for (const auto& [type, count] : contents.elements) {
      const MshElementType& properties = known_types.at(type);
      if (properties.dimension != d || count == 0) continue;
      const bool is_simplex = type == 1 || type == 2 || type == 4 || type == 15;
      census += message("{}{} {}", census.empty() ? "" : ", ", count, properties.plural);
      if (!is_simplex) census += message(" ({} nodes)", properties.nodes);
      dimension = std::max(dimension, d);
      all_simplices = all_simplices && is_simplex;
    }
  }
  if (!all_simplices) {
    in.fail(
        message("found {}; Solenoid reads 3-node triangles and 4-node tetrahedra. In the .geo leave out `Recombine`, "
                "`Layers{{...; Recombine}}` and `Mesh.ElementOrder`",
                census));
  }
  if (dimension < 2) {
    in.fail(message("found {}, expected triangles or tetrahedra; mesh the surface (gmsh -2) or the volume (gmsh -3)",
                    census.empty() ? "no elements" : census));
  }
}

void check_node_of_element(MshInput& in, const MshContents& contents, std::int64_t node) {
  if (contents.nodes.contains(node)) return;
  in.fail(message("has node {}, which is not among the nodes of the file; the file is damaged: write the mesh again",
                  node));
}

}  // namespace solenoid
