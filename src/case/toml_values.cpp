/// The keys of TomlSection that hold lists of numbers and points, or formulas, and those that exclude each other.
#include <algorithm>
#include <cctype>

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

std::array<double, 3> TomlSection::per_axis(const std::string& key, const NumberRange& range, double fallback) {
  constexpr const char* or_three = ", or 3 of them";
  const TomlNode* node = read(key);
  const auto* entries = node ? std::get_if<TomlArray>(&node->value) : nullptr;
  if (!entries || entries->size() != 3) {
    const double value = node ? number(key, *node, range, or_three).value_or(fallback) : fallback;
    record(key, value);
    return {value, value, value};
  }
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < 3; ++i) values[i] = number(key, (*entries)[i], range).value_or(fallback);
  record(key, values);
  return values;
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

std::optional<TomlSection> TomlSection::optional_table(const std::string& key) {
  return read(key) ? std::optional<TomlSection>(table(key)) : std::nullopt;
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

namespace {
using Json = nlohmann::ordered_json;

constexpr const char* or_an_expression = " or an expression in quotes";
constexpr const char* three_expressions = "3 entries, each a number or an expression of x, y, z, t in quotes";

Json as_json(const Formula& formula) { return formula.is_number() ? Json(formula({}, 0)) : Json(formula.text()); }
}  // namespace

std::array<Formula, 3> TomlSection::expressions(const std::string& key,
                                                std::optional<std::array<Formula, 3>> fallback) {
  std::array<Formula, 3> value = fallback.value_or(std::array<Formula, 3>());
  const TomlNode* const node = fallback ? read(key) : read_required(key, three_expressions);
  if (is_at_points(node)) {
    const std::vector<Formula> components = at_points(key, *node, nullptr);
    std::copy(components.begin(), components.end(), value.begin());
    return value;
  }
  if (node) {
    const auto* entries = std::get_if<TomlArray>(&node->value);
    if (!entries || entries->size() != 3) {
      wrong(key, *node, three_expressions);
    } else {
      for (std::size_t i = 0; i < 3; ++i) value[i] = expression(key, (*entries)[i], any_number);
    }
  }
  Json recorded = Json::array();
  for (const Formula& entry : value) recorded.push_back(as_json(entry));
  record(key, recorded);
  return value;
}

std::optional<std::array<Formula, 3>> TomlSection::optional_expressions(const std::string& key) {
  if (has(key)) return expressions(key);
  read(key);
  record(key, nullptr);
  return std::nullopt;
}

Formula TomlSection::formula(const std::string& key, const NumberRange& range, std::optional<double> fallback) {
  const TomlNode* node = fallback ? read(key) : read_required(key, std::string(range.expected) + or_an_expression);
  if (is_at_points(node)) return at_points(key, *node, &range).front();
  const Formula value = node ? expression(key, *node, range) : Formula(fallback.value_or(1));
  record(key, as_json(value));
  return value;
}

std::optional<Formula> TomlSection::optional_formula(const std::string& key, const NumberRange& range) {
  const TomlNode* node = read(key);
  if (!node) {
    record(key, nullptr);
    return std::nullopt;
  }
  if (is_at_points(node)) return at_points(key, *node, &range).front();
  const Formula value = expression(key, *node, range);
  record(key, as_json(value));
  return value;
}

std::optional<std::string> TomlSection::letters(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  const auto* const text = std::get_if<std::string>(&find(std::get<TomlTable>(node_->value), key)->value);
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const bool is_word = text && text->size() > 2 && std::all_of(text->begin(), text->end(), is_letter);
  return is_word ? std::optional<std::string>(*text) : std::nullopt;
}

std::vector<std::pair<std::string, Formula>> TomlSection::formulas(const NumberRange& range,
                                                                   const std::string& expected) {
  std::vector<std::pair<std::string, Formula>> values;
  if (!node_) return values;
  const auto& entries = std::get<TomlTable>(node_->value);
  if (entries.empty()) state_->note("nothing in " + label(), node_->origin, ": expected " + expected);
  for (const TomlEntry& entry : entries) values.emplace_back(entry.key, formula(entry.key, range));
  return values;
}

std::optional<Formula> TomlSection::formula_of(const std::string& key, FormulaArguments arguments) {
  const TomlNode* const node = read(key);
  const auto* const text = node ? std::get_if<std::string>(&node->value) : nullptr;
  if (!text) return std::nullopt;
  Formula value(1);
  try {
    value = Formula(*text, label(key, *node) + " (" + node->origin.place + ")", state_->functions, arguments);
  } catch (const Error& error) {
    state_->add({node->origin, error.what()});
  }
  record(key, as_json(value));
  return value;
}

void TomlSection::fault(const std::string& key, const std::string& text) {
  state_->add({find(std::get<TomlTable>(node_->value), key)->origin, text});
}

Formula TomlSection::expression(const std::string& key, const TomlNode& node, const NumberRange& range) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (!text) return Formula(number(key, node, range, or_an_expression).value_or(1));
  try {
    return Formula(*text, label(key, node) + " (" + node.origin.place + ")", state_->functions);
  } catch (const Error& error) {
    state_->add({node.origin, error.what()});
    return {};
  }
}

}  // namespace solenoid
