#include "case/mesh_case.hpp"

#include <cmath>

#include "base/user_text.hpp"
#include "case/box_case.hpp"
#include "model/model_setup.hpp"

namespace solenoid {

namespace {

constexpr std::size_t most_names = 1000;  // of patches

constexpr NumberRange whole_number{"a whole number from 1 to 2147483647",
                                   [](double x) { return x >= 1 && x <= TomlSection::largest && x == std::floor(x); }};

std::vector<int> read_numbers(TomlSection& section, const std::string& key) {
  std::vector<int> numbers;
  for (const double number : section.ascending(key, whole_number)) numbers.push_back(static_cast<int>(number));
  return numbers;
}

PartPlane read_plane_of_part(TomlSection section) {
  const std::optional<Vec3> point = section.vector("point"), normal = section.vector("normal");
  if (normal && norm(*normal) == 0) section.wrong("normal", "a direction other than (0, 0, 0)");
  const bool is_plane = normal && norm(*normal) > 0;
  return {point.value_or(Vec3{}), is_plane ? *normal : Vec3{1, 0, 0}};
}

PartColour read_colour(TomlSection& section) {
  const std::string text = section.optional_text("colour").value_or("");
  const bool is_colour = text.size() == 7 && text.front() == '#' &&
                         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!is_colour) {
    section.wrong("colour", "red, green and blue in hexadecimal digits, such as \"#ff8000\"");
    return {};
  }
  PartColour colour{};
  for (std::size_t k = 0; k < 3; ++k) colour[k] = std::stoi(text.substr(1 + 2 * k, 2), nullptr, 16);
  return colour;
}

PartGroup read_group(TomlSection section) {
  PartGroup group{section.text("name"), PartRest{}};
  const bool is_name =
      !group.name.empty() && !has_control_character(group.name) && group.name.find('"') == std::string::npos;
  if (section.has("name") && !is_name) section.wrong("name", "a name of one line without quotation marks");
  const std::string selector = section.one_of({"surfaces", "volumes", "near", "plane", "colour", "rest"});
  if (!section.has(selector)) return group;
  if (selector == "surfaces") group.selected = PartSurfaces{read_numbers(section, selector)};
  if (selector == "volumes") group.selected = PartVolumes{read_numbers(section, selector)};
  if (selector == "near") group.selected = PartNear{section.vector(selector).value_or(Vec3{})};
  if (selector == "plane") group.selected = read_plane_of_part(section.table(selector));
  if (selector == "colour") group.selected = read_colour(section);
  if (selector == "rest" && !section.flag(selector, true)) section.wrong(selector, "true: all that no other group has");
  return group;
}

PartSize read_size(TomlSection section, const std::optional<double>& largest) {
  PartSize wanted;
  const std::string place = section.one_of({"patches", "box", "cylinder", "ball"});
  if (place == "box") {
    wanted.place = read_box(section.table(place)).value_or(Box{{}, {}});
  } else if (place == "cylinder") {
    TomlSection cylinder = section.table(place);
    const std::optional<Vec3> from = cylinder.vector("from"), to = cylinder.vector("to");
    if (from && to && norm(*to - *from) == 0) cylinder.wrong("to", "another point than `from`: the ends of the axis");
    const auto radius = static_cast<real>(cylinder.real("radius", positive));
    wanted.place = SizeCylinder{from.value_or(Vec3{}), to.value_or(Vec3{1, 0, 0}), radius};
  } else if (place == "ball") {
    TomlSection ball = section.table(place);
    const Vec3 centre = ball.vector("centre").value_or(Vec3{});
    wanted.place = SizeBall{centre, static_cast<real>(ball.real("radius", positive))};
  } else if (section.has(place)) {
    wanted.place = SizePatches{section.names(place, 1, most_names)};
  }
  constexpr NumberRange more_than_1{"a number greater than 1, at most 10", [](double x) { return x > 1 && x <= 10; }};
  wanted.size = section.real("size", positive);
  if (largest && wanted.size > *largest) section.wrong("size", "at most `size` in [mesh], which is the largest");
  wanted.growth = section.real("growth", more_than_1, wanted.growth);
  return wanted;
}

PartSettings read_part(TomlSection& mesh, const std::optional<double>& size) {
  PartSettings part;
  for (const char* key : {"size_min", "per_circle", "angle", "group", "sizes", "outside"}) {
    if (part.given.empty() && mesh.has(key)) part.given = key;
  }
  constexpr NumberRange around{"a number from 3 to 1000", [](double x) { return x >= 3 && x <= 1000; }};
  constexpr NumberRange sharp{"degrees, more than 0 and less than 180", [](double x) { return x > 0 && x < 180; }};
  part.size_min = mesh.optional_real("size_min", positive);
  if (size && part.size_min && *part.size_min > *size) mesh.wrong("size_min", "at most `size`");
  part.per_circle = mesh.real("per_circle", around, part.per_circle);
  part.angle = mesh.real("angle", sharp, part.angle);
  for (TomlSection& section : mesh.tables("group")) part.groups.push_back(read_group(section));
  for (TomlSection& section : mesh.tables("sizes")) part.sizes.push_back(read_size(section, size));
  if (auto outside = mesh.optional_table("outside")) {
    outside->one_of({"box"});
    part.outside = read_box(outside->table("box"));
    if (part.outside && (part.outside->size().x == 0 || part.outside->size().y == 0))
      outside->wrong("box", "a box with an extent along x and y");
  }
  return part;
}

LayerSettings read_layers(std::optional<TomlSection> section) {
  LayerSettings layers;
  if (!section) return layers;
  constexpr NumberRange from_1{"a number from 1 to 10", [](double x) { return x >= 1 && x <= 10; }};
  constexpr int usual = 5, most = 100;
  layers.patches = section->names("patches", 1, most_names);
  layers.first = section->real("first", positive);
  layers.growth = section->real("growth", from_1, layers.growth);
  layers.count = section->integer("count", 1, usual, most);
  return layers;
}

}  // namespace

MeshSettings read_mesh_settings(TomlSection section, const std::filesystem::path& folder) {
  MeshSettings mesh;
  const std::string file = section.text("file");
  if (has_control_character(file)) section.wrong("file", "a path without control characters");
  mesh.file = folder / file;
  mesh.size = section.optional_real("size", positive);
  mesh.has_scale = section.has("scale");
  const std::array<double, 3> scale = section.per_axis("scale", positive, 1.0);
  mesh.scale = {scale[0], scale[1], scale[2]};
  mesh.trust = section.flag("trust", false);
  mesh.distributed = section.flag("distributed", false);
  mesh.refine = section.integer("refine", 0, 0, most_refinements);
  mesh.part = read_part(section, mesh.size);
  mesh.layers = read_layers(section.optional_table("layers"));
  return mesh;
}

MeshRequest request_of(const MeshSettings& mesh, const ModelSetup& setup) {
  MeshRequest request{mesh.file, mesh.size, mesh.scale, mesh.trust};
  request.part = mesh.part;
  request.layers = mesh.layers;
  request.pairs = setup.pairs();
  request.has_scale = mesh.has_scale;
  return request;
}

}  // namespace solenoid
