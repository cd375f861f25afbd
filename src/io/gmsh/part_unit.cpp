#include "io/gmsh/part_unit.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

namespace {

struct Unit {
  double metres;
  const char *word, *text;
};
constexpr Unit units[] = {{1, "M", "m"},      {1e-3, "MM", "mm"},     {1e-2, "CM", "cm"},  {1e3, "KM", "km"},
                          {1e-6, "UM", "um"}, {0.0254, "INCH", "in"}, {0.3048, "FT", "ft"}};

const Unit* unit_of(double metres) {
  const auto found = std::find_if(std::begin(units), std::end(units),
                                  [&](const Unit& unit) { return std::abs(unit.metres - metres) < 1e-9 * metres; });
  return found == std::end(units) ? nullptr : found;
}

bool mentions(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The unit in a record of STEP, which has the words LENGTH_UNIT.  ISO 10303-41.
std::optional<double> unit_of_record(std::string_view record) {
  if (mentions(record, "CONVERSION_BASED_UNIT")) {
    if (mentions(record, "'INCH'") || mentions(record, "'INCHES'")) return 0.0254;
    if (mentions(record, "'FOOT'") || mentions(record, "'FEET'")) return 0.3048;
    return std::nullopt;
  }
  constexpr std::pair<const char*, double> prefixes[] = {{".MILLI.", 1e-3}, {".CENTI.", 1e-2}, {".DECI.", 1e-1},
                                                         {".KILO.", 1e3},   {".MICRO.", 1e-6}, {"$", 1}};
  if (!mentions(record, ".METRE.")) return std::nullopt;
  for (const auto& [prefix, metres] : prefixes) {
    if (mentions(record, prefix)) return metres;
  }
  return std::nullopt;
}

/// Whether the text has the number of a record, "#1": not as the beginning of "#12".
bool refers_to(std::string_view text, std::string_view number) {
  for (std::size_t at = text.find(number); at != std::string_view::npos; at = text.find(number, at + 1)) {
    const std::size_t behind = at + number.size();
    if (behind == text.size() || !std::isdigit(static_cast<unsigned char>(text[behind]))) return true;
  }
  return false;
}

/// Of the units in use, GLOBAL_UNIT_ASSIGNED_CONTEXT, that of length.
std::optional<double> unit_of_step(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  std::map<std::string_view, std::string_view> lengths;  // records by their number, "#12"
  std::vector<std::string_view> contexts;
  const std::string_view all = text;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find(';', begin), all.size());
    const std::string_view record = all.substr(begin, end - begin);
    if (mentions(record, "LENGTH_UNIT()")) lengths[record.substr(0, record.find('='))] = record;
    if (mentions(record, "GLOBAL_UNIT_ASSIGNED_CONTEXT(")) contexts.push_back(record);
    begin = end + 1;
  }
  for (const std::string_view context : contexts) {
    const std::string_view units_in_use = context.substr(context.find("GLOBAL_UNIT_ASSIGNED_CONTEXT("));
    for (const auto& [number, record] : lengths) {
      if (refers_to(units_in_use, number)) return unit_of_record(record);
    }
  }
  return std::nullopt;
}

/// Parameter 14 of the global section, whose lines have a G in column 73; texts in it are counted, 3Hend.
std::optional<double> unit_of_iges(std::ifstream& in) {
  constexpr std::size_t width = 72, wanted = 14;
  std::string global, line;
  while (std::getline(in, line)) {
    if (line.size() > width && line[width] == 'G') global += line.substr(0, width);
    if (line.size() > width && line[width] == 'D') break;
  }
  char delimiter = ',';
  std::size_t at = 0;
  for (std::size_t parameter = 1; at < global.size(); ++parameter) {
    while (at < global.size() && global[at] == ' ') ++at;
    std::size_t count = 0, digits = at;
    while (digits < global.size() && std::isdigit(static_cast<unsigned char>(global[digits]))) ++digits;
    std::from_chars(global.data() + at, global.data() + digits, count);
    const bool is_text = digits > at && digits < global.size() && global[digits] == 'H';
    if (is_text && count > global.size() - digits) return std::nullopt;  // longer than what follows
    if (is_text && parameter == 1 && digits + 1 < global.size()) delimiter = global[digits + 1];
    if (!is_text && parameter == wanted) {
      constexpr std::pair<std::size_t, double> flags[] = {{1, 0.0254}, {2, 1e-3}, {4, 0.3048}, {6, 1},
                                                          {7, 1e3},    {9, 1e-6}, {10, 1e-2}};
      for (const auto& [flag, metres] : flags) {
        if (flag == count) return metres;
      }
      return std::nullopt;
    }
    at =
        std::min(global.find(delimiter, std::min(is_text ? digits + 1 + count : digits, global.size())), global.size());
    ++at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> unit_of_part(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  std::ifstream in(file, std::ios::binary);
  if (extension == ".step" || extension == ".stp") return unit_of_step({std::istreambuf_iterator<char>(in), {}});
  if (extension == ".iges" || extension == ".igs") return unit_of_iges(in);
  return std::nullopt;
}

const char* word_of_unit(double metres) {
  const Unit* unit = unit_of(metres);
  return unit ? unit->word : "";
}

std::string text_of_extents(const Vec3& size, int dimension, const LengthUnits& unit) {
  const double x = unit.x * size.x, y = unit.y * size.y, z = unit.z * size.z;
  return dimension == 2 ? message("{:.4g} x {:.4g}", x, y) : message("{:.4g} x {:.4g} x {:.4g}", x, y, z);
}

PartUnit unit_of_lengths(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  if (extension == ".brep" || extension == ".stl") return {};
  const std::optional<double> stated = unit_of_part(file);
  constexpr double usual = 1e-3;
  const bool is_known = stated && *word_of_unit(*stated) != '\0';
  return {is_known ? *stated : usual, !is_known};
}

std::optional<std::string> text_of_part_unit(const PartUnit& unit, const Vec3& size, int dimension,
                                             const MeshRequest& request) {
  const std::string file = request.file.string();
  const std::string across = text_of_extents(size, dimension, 1);
  if (!unit.metres) {
    if (request.has_scale) return std::nullopt;
    return message("{} states no unit, and is taken as in metres: if it is in mm, add `scale = 0.001` in [mesh]", file);
  }
  constexpr double same = 1e-6;
  const double metres = *unit.metres;
  const LengthUnits& scale = request.scale;
  const bool is_scale =
      std::abs(scale.x - metres) + std::abs(scale.y - metres) + std::abs(scale.z - metres) < same * metres;
  const char* const name = unit_of(metres)->text;
  if (unit.is_converted) {
    return message(
        "warning: {} states no length unit, or one that is not known here: its lengths are converted to {} as if it "
        "were known, and it is {} {} across: compare with the part{}",
        file, name, across, name, is_scale ? "" : message("; `scale` in [mesh] is that of {}, {}", name, metres));
  }
  if (is_scale) return std::nullopt;
  return message(
      "warning: {} is in {}, as it says, and {}: if it is {} {} across, {} `scale = {}` in [mesh]", file, name,
      request.has_scale ? message("`scale` is {}", request.scale.text()) : "without `scale` it is taken as in metres",
      across, name, request.has_scale ? "take" : "add", metres);
}

}  // namespace solenoid
