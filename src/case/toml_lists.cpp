/// The keys of TomlSection that hold lists of numbers and points, and those that exclude each other.
#include <algorithm>

#include "base/error.hpp"
#include "case/toml_section_state.hpp"

namespace solenoid {

namespace {
constexpr const char* list_of_points = "a list of points, 3 numbers each: [[0.5, 0.5, 0.0]]";
}  // namespace

std::vector<Vec3> TomlSection::points(const std::string& key) {
  return points_of(key, read_required(key, list_of_points));
}

std::vector<Vec3> TomlSection::optional_points(const std::string& key) {
  const TomlNode* node = read(key);
  if (node) return points_of(key, node);
  record(key, nullptr);
  return {};
}

std::vector<Vec3> TomlSection::points_of(const std::string& key, const TomlNode* node) {
  std::vector<Vec3> points;
  nlohmann::ordered_json recorded = nlohmann::ordered_json::array();
  const auto* entries = node ? std::get_if<TomlArray>(&node->value) : nullptr;
  const auto is_list = [](const TomlNode& entry) { return std::holds_alternative<TomlArray>(entry.value); };
  if (node && (!entries || entries->empty() || !std::all_of(entries->begin(), entries->end(), is_list))) {
    wrong(key, *node, list_of_points);
    entries = nullptr;
  }
  for (const TomlNode& entry : entries ? *entries : TomlArray{}) {
    const auto* numbers = std::get_if<TomlArray>(&entry.value);
    if (numbers->size() != 3) {
      wrong(key, entry, "a point: 3 numbers");
      continue;
    }
    double x[3];
    for (std::size_t i = 0; i < 3; ++i) x[i] = number(key, (*numbers)[i], any_number).value_or(0);
    points.push_back(
        {static_cast<solenoid::real>(x[0]), static_cast<solenoid::real>(x[1]), static_cast<solenoid::real>(x[2])});
    recorded.push_back(x);
  }
  record(key, recorded);
  return points;
}

std::string TomlSection::one_of(const std::vector<std::string>& keys) {
  std::string all;
  std::vector<std::string> found;
  for (const std::string& key : keys) {
    read(key);
    if (has(key)) found.push_back(key);
    all += (all.empty() ? "`" : key == keys.back() ? " or `" : ", `") + key + "`";
  }
  if (node_ && found.empty()) {
    state_->note(message("missing key {} in {}", all, label()), node_->origin, ": expected exactly one");
  }
  for (std::size_t k = 1; k < found.size(); ++k) {
    const TomlOrigin& origin = find(std::get<TomlTable>(node_->value), found[k])->origin;
    state_->note(message("`{}` in {}", found[k], label()), origin,
                 message(": found also `{}`, expected one of them", found[0]));
  }
  return found.empty() ? keys.front() : found.front();
}

std::vector<double> TomlSection::ascending(const std::string& key, const NumberRange& range) {
  std::vector<double> values;
  const TomlNode* node = read(key);
  const auto* entries = node ? std::get_if<TomlArray>(&node->value) : nullptr;
  if (node && (!entries || entries->empty())) wrong(key, *node, std::string("a list, each entry ") + range.expected);
  for (const TomlNode& entry : entries ? *entries : TomlArray{}) {
    const std::optional<double> value = number(key, entry, range);
    if (!value) continue;
    if (!values.empty() && *value <= values.back()) wrong(key, entry, "a number greater than the one before it");
    values.push_back(*value);
  }
  record(key, node ? nlohmann::ordered_json(values) : nlohmann::ordered_json());
  return values;
}

}  // namespace solenoid
