#include "case/section_case.hpp"

#include <algorithm>

#include "case/box_case.hpp"
#include "case/case_words.hpp"

namespace solenoid {

namespace {

Plane read_plane(TomlSection section) {
  const std::optional<Vec3> point = section.vector("point"), normal = section.vector("normal");
  const Vec3 along = normal.value_or(Vec3{1, 0, 0});
  const real length = norm(along);
  if (length > 0) return {point.value_or(Vec3{}), along / length};
  section.wrong("normal", "a direction other than [0, 0, 0]");
  return {};
}

template <class Settings>
void read_outputs(TomlSection& section, const std::vector<QuantityInfo>& quantities,
                  const std::vector<std::string>& usual, Settings& settings) {
  settings.fields = section.words("fields", field_words(quantities, false), usual);
  settings.every_steps = section.optional_integer("every_steps", 1);
}

}  // namespace

std::optional<PlaceOfPoints> read_within(TomlSection section) {
  const bool is_ball = section.one_of({"centre", "min"}) == "centre";
  const auto centre = section.optional_vector("centre"), low = section.optional_vector("min"),
             high = section.optional_vector("max");
  const auto radius = section.optional_real("radius", positive);
  for (const auto& [key, other] : {std::pair("centre", "radius"), std::pair("min", "max")}) {
    if (section.has(key) && !section.has(other)) section.wrong(key, message("`{}` beside it", other));
    if (section.has(other) && !section.has(key)) section.wrong(other, message("`{}` beside it", key));
  }
  if (is_ball) {
    return centre && radius ? std::optional<PlaceOfPoints>(BallOfPoints{*centre, static_cast<real>(*radius)})
                            : std::nullopt;
  }
  const std::optional<Box> box = box_between(section, low, high);
  return box ? std::optional<PlaceOfPoints>(BoxOfPoints{box->low, box->high}) : std::nullopt;
}

std::vector<SectionSettings> read_sections(std::vector<TomlSection> sections, const std::vector<std::string>& patches,
                                           const std::vector<QuantityInfo>& quantities) {
  std::vector<QuantityInfo> with_means = quantities;
  std::erase_if(with_means, [](const QuantityInfo& info) { return !has_section_mean(info); });
  const std::vector<std::string> fields = field_words(with_means, false);
  std::vector<SectionSettings> all;
  for (TomlSection& section : sections) {
    SectionSettings settings;
    settings.name = read_name(section, all, "section");
    section.one_of({"plane", "patches"});
    section.exclusive("within", "patches", false);
    if (section.has("plane")) settings.plane = read_plane(section.table("plane"));
    if (section.has("within")) settings.within = read_within(section.table("within"));
    if (section.has("patches")) settings.patches = section.words("patches", patches, {}, 1);
    settings.fields = section.words("fields", fields, fields);
    settings.every_steps = section.integer("every_steps", 1, settings.every_steps);
    all.push_back(settings);
  }
  return all;
}

std::vector<PlaneSettings> read_planes(std::vector<TomlSection> sections, const std::vector<QuantityInfo>& quantities,
                                       const std::vector<std::string>& usual) {
  std::vector<PlaneSettings> all;
  for (TomlSection& section : sections) {
    PlaneSettings settings;
    settings.name = read_name(section, all, "plane");
    section.one_of({"plane"});
    if (section.has("plane")) settings.plane = read_plane(section.table("plane"));
    if (const auto within = section.optional_table("within")) settings.within = read_within(*within);
    read_outputs(section, quantities, usual, settings);
    all.push_back(settings);
  }
  return all;
}

std::vector<IsosurfaceSettings> read_isosurfaces(std::vector<TomlSection> sections,
                                                 const std::vector<QuantityInfo>& quantities,
                                                 const std::vector<std::string>& usual) {
  WordSet<std::string> at_nodes;
  for (const QuantityInfo& info : quantities) {
    const auto is_same = [&](const auto& word) { return word.first == info.field; };
    const bool is_new = std::none_of(at_nodes.words.begin(), at_nodes.words.end(), is_same);
    if (info.at == ValuesAt::nodes && !info.field.empty() && is_new)
      at_nodes.words.emplace_back(info.field, info.field);
  }
  std::vector<IsosurfaceSettings> all;
  for (TomlSection& section : sections) {
    IsosurfaceSettings settings;
    settings.name = read_name(section, all, "isosurface");
    settings.field = section.word("field", at_nodes).value_or("");
    section.one_of({"value", "values"});
    const auto value = section.optional_real("value", any_number);
    settings.values = section.ascending("values", any_number);
    if (value) settings.values = {*value};
    read_outputs(section, quantities, usual, settings);
    all.push_back(settings);
  }
  return all;
}

}  // namespace solenoid
