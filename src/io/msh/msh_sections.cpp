#include "io/msh/msh_sections.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace {
constexpr std::size_t longest_name = 127;  // bytes; Gmsh cuts longer ones

using Shape = ElementShape;
const std::map<int, MshElementType> known_types{
    {1, {2, Shape::line}},          {2, {3, Shape::triangle}},      {3, {4, Shape::quadrangle}},
    {4, {4, Shape::tetrahedron}},   {5, {8, Shape::hexahedron}},    {6, {6, Shape::prism}},
    {7, {5, Shape::pyramid}},       {8, {3, Shape::line}},          {9, {6, Shape::triangle}},
    {10, {9, Shape::quadrangle}},   {11, {10, Shape::tetrahedron}}, {12, {27, Shape::hexahedron}},
    {13, {18, Shape::prism}},       {14, {14, Shape::pyramid}},     {15, {1, Shape::point}},
    {16, {8, Shape::quadrangle}},   {17, {20, Shape::hexahedron}},  {18, {15, Shape::prism}},
    {19, {13, Shape::pyramid}},     {20, {9, Shape::triangle}},     {21, {10, Shape::triangle}},
    {22, {12, Shape::triangle}},    {23, {15, Shape::triangle}},    {24, {15, Shape::triangle}},
    {25, {21, Shape::triangle}},    {26, {4, Shape::line}},         {27, {5, Shape::line}},
    {28, {6, Shape::line}},         {29, {20, Shape::tetrahedron}}, {30, {35, Shape::tetrahedron}},
    {31, {56, Shape::tetrahedron}}, {36, {16, Shape::quadrangle}},  {37, {25, Shape::quadrangle}},
    {38, {36, Shape::quadrangle}},  {92, {64, Shape::hexahedron}},  {93, {125, Shape::hexahedron}}};

/// Of the elements of the file.
int highest_dimension(const MshContents& contents) {
  int highest = 0;
  for (const auto& [type, count] : contents.elements) {
    if (count > 0) highest = std::max(highest, dimension_of(shape_of(type)));
  }
  return highest;
}
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
        message("found `{}` for the element type, expected one of Gmsh's points, lines, triangles, quadrangles, "
                "tetrahedra, hexahedra, prisms and pyramids; the file is damaged or of other elements: mesh the "
                "geometry again",
                type));
  }
  return found->second;
}

std::string census(const std::map<int, std::int64_t>& elements, bool (*is_counted)(int type)) {
  std::string text;
  for (int d = 3; d >= 0; --d) {
    for (const auto& [type, count] : elements) {
      const MshElementType& properties = known_types.at(type);
      if (dimension_of(properties.shape) != d || count == 0 || !is_counted(type)) continue;
      text += message("{}{} {}", text.empty() ? "" : ", ", count, plural_of(properties.shape));
      if (properties.nodes != corners_of(properties.shape)) text += message(" of {} nodes", properties.nodes);
    }
  }
  return text;
}

ElementShape shape_of(int type) { return known_types.at(type).shape; }
bool is_divided(int type) { return !is_simplex(shape_of(type)); }
bool is_curved(int type) { return known_types.at(type).nodes != corners_of(known_types.at(type).shape); }

void require_cells(const MshInput& in, const MshContents& contents) {
  if (highest_dimension(contents) >= 2) return;
  const std::string found = census(contents.elements, [](int) { return true; });
  in.fail(message("found {}, expected triangles or tetrahedra; mesh the surface (gmsh -2) or the volume (gmsh -3)",
                  found.empty() ? "no elements" : found));
}

void check_node_of_element(MshInput& in, const MshContents& contents, std::int64_t node) {
  if (!contents.share.is_whole() || contents.nodes.contains(node)) return;
  in.fail(message("has node {}, which is not among the nodes of the file; the file is damaged: write the mesh again",
                  node));
}

void append_element(MshContents& contents, int entity, std::int64_t id, ElementShape shape,
                    std::span<const std::int64_t> corners) {
  MshElements& elements = contents.records.elements[static_cast<std::size_t>(dimension_of(shape))];
  const auto nodes_each = static_cast<std::size_t>(dimension_of(shape)) + 1;
  const std::span<const std::int64_t> own = corners.first(static_cast<std::size_t>(corners_of(shape)));
  if (!is_simplex(shape)) {
    DividedElements& divided = contents.records.divided;
    divided.shapes.push_back(shape);
    divided.nodes.insert(divided.nodes.end(), own.begin(), own.end());
    divided.places.push_back(elements.nodes.size());
  }
  append_simplices(shape, own, elements.nodes);
  while (elements.ids.size() < elements.nodes.size() / nodes_each) elements.begin(entity, id);
}

FileMesh mesh_of_contents(MshContents contents) {
  FileMesh mesh;
  mesh.dimension = highest_dimension(contents) == 3 ? 3 : 2;
  mesh.cells = std::ssize(contents.records.elements[static_cast<std::size_t>(mesh.dimension)].ids);
  mesh.divided = census(contents.elements, is_divided);
  mesh.curved = census(contents.elements, is_curved);
  mesh.records = std::move(contents.records);
  return mesh;
}

}  // namespace solenoid
