/// The keys of TomlSection that hold numbers or expressions of place and time.
#include "base/error.hpp"
#include "case/toml_section_state.hpp"

namespace solenoid {

namespace {
using Json = nlohmann::ordered_json;

constexpr const char* or_an_expression = " or an expression in quotes";
constexpr const char* three_expressions = "3 entries, each a number or an expression of x, y, z, t in quotes";

Json as_json(const Formula& formula) { return formula.is_number() ? Json(formula({}, 0)) : Json(formula.text()); }
}  // namespace

std::array<Formula, 3> TomlSection::expressions(const std::string& key,
                                                std::optional<std::array<Formula, 3>> fallback) {
  std::array<Formula, 3> value = fallback.value_or(std::array<Formula, 3>());
  if (const TomlNode* node = fallback ? read(key) : read_required(key, three_expressions)) {
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

Formula TomlSection::formula(const std::string& key, const NumberRange& range, std::optional<double> fallback) {
  const TomlNode* node = fallback ? read(key) : read_required(key, std::string(range.expected) + or_an_expression);
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
  const Formula value = expression(key, *node, range);
  record(key, as_json(value));
  return value;
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

Formula TomlSection::expression(const std::string& key, const TomlNode& node, const NumberRange& range) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (!text) return Formula(number(key, node, range, or_an_expression).value_or(1));
  try {
    return Formula(*text, label(key, node) + " (" + node.origin.place + ")");
  } catch (const Error& error) {
    state_->add({node.origin, error.what()});
    return {};
  }
}

}  // namespace solenoid
