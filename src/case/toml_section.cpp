#include "case/toml_section_state.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "base/user_text.hpp"

namespace solenoid {

using Json = nlohmann::ordered_json;

namespace {
/// "a", "b" or "c", each in `quote`s; `last` stands before the last.
std::string list(const std::vector<std::string>& names, const std::string& quote, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : last;
    text.append(quote).append(names[i]).append(quote);
  }
  return text;
}

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& known, const std::string& quote) {
  const auto near = nearest_name(wanted, known);
  return near ? ": did you mean " + quote + *near + quote + "?" : "";
}

/// A key as in a table's header, quoted if TOML requires it.
std::string as_toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  return bare ? key : '"' + key + '"';
}

bool is_table(const TomlNode& node) { return std::holds_alternative<TomlTable>(node.value); }

bool is_array_of_tables(const TomlNode& node) {
  const auto* entries = std::get_if<TomlArray>(&node.value);
  return entries && !entries->empty() && std::all_of(entries->begin(), entries->end(), is_table);
}

/// The text with its control characters, except line ends, escaped as in TOML.
std::string visible(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool hidden = std::iscntrl(static_cast<unsigned char>(c)) && c != '\n';
    result += hidden ? message("\\u{:04x}", static_cast<int>(c)) : std::string(1, c);
  }
  return result;
}

constexpr const char* three_numbers = "3 numbers";
constexpr const char* some_text = "text in quotes";
}  // namespace

TomlSection::TomlSection(State& state, const TomlNode* node, std::vector<std::string> path, bool in_array)
    : state_(&state), node_(node), path_(std::move(path)), in_array_(in_array) {
  if (node_) state_->open(node_, *this);
}

double TomlSection::real(const std::string& key, const NumberRange& range, std::optional<double> fallback) {
  const TomlNode* node = fallback ? read(key) : read_required(key, range.expected);
  const double value = (node ? number(key, *node, range) : fallback).value_or(1);
  record(key, value);
  return value;
}

std::optional<double> TomlSection::optional_real(const std::string& key, const NumberRange& range) {
  const TomlNode* node = read(key);
  const std::optional<double> value = node ? number(key, *node, range) : std::nullopt;
  record(key, value ? Json(*value) : Json());
  return value;
}

int TomlSection::integer(const std::string& key, int least, int fallback, int most) {
  const TomlNode* node = read(key);
  const int value = (node ? whole_number(key, *node, least, most) : std::nullopt).value_or(fallback);
  record(key, value);
  return value;
}

std::optional<int> TomlSection::optional_integer(const std::string& key, int least) {
  const TomlNode* node = read(key);
  const std::optional<int> value = node ? whole_number(key, *node, least) : std::nullopt;
  record(key, value ? Json(*value) : Json());
  return value;
}

bool TomlSection::flag(const std::string& key, bool fallback) {
  const TomlNode* node = read(key);
  const bool* given = node ? std::get_if<bool>(&node->value) : nullptr;
  if (node && !given) wrong(key, *node, "true or false");
  const bool value = given ? *given : fallback;
  record(key, value);
  return value;
}

std::string TomlSection::text(const std::string& key, const std::optional<std::string>& fallback) {
  const TomlNode* node = fallback ? read(key) : read_required(key, some_text);
  const auto* given = node ? std::get_if<std::string>(&node->value) : nullptr;
  if (node && (!given || (given->empty() && !fallback))) wrong(key, *node, some_text);
  std::string value = given ? *given : fallback.value_or("");
  record(key, value);
  return value;
}

std::optional<std::string> TomlSection::optional_text(const std::string& key) {
  const TomlNode* node = read(key);
  if (!node) {
    record(key, nullptr);
    return std::nullopt;
  }
  const auto* given = std::get_if<std::string>(&node->value);
  if (!given || given->empty()) wrong(key, *node, some_text);
  const std::string value = given ? *given : "";
  record(key, value);
  return value;
}

std::optional<Vec3> TomlSection::vector(const std::string& key) {
  return three_numbers_of(key, read_required(key, three_numbers));
}

std::optional<Vec3> TomlSection::optional_vector(const std::string& key) {
  const TomlNode* node = read(key);
  if (!node) record(key, nullptr);
  return three_numbers_of(key, node);
}

Vec3 TomlSection::vector(const std::string& key, const Vec3& fallback) {
  const TomlNode* node = read(key);
  if (!node) record(key, Json{fallback.x, fallback.y, fallback.z});
  return three_numbers_of(key, node).value_or(fallback);
}

/// nullopt if `node` is null or faulty.
std::optional<Vec3> TomlSection::three_numbers_of(const std::string& key, const TomlNode* node) {
  const auto* entries = node ? std::get_if<TomlArray>(&node->value) : nullptr;
  if (!entries || entries->size() != 3) {
    if (node) wrong(key, *node, three_numbers);
    return std::nullopt;
  }
  std::array<std::optional<double>, 3> v;
  for (std::size_t i = 0; i < 3; ++i) v[i] = number(key, (*entries)[i], any_number);
  if (!v[0] || !v[1] || !v[2]) return std::nullopt;
  record(key, Json{*v[0], *v[1], *v[2]});
  return Vec3{static_cast<solenoid::real>(*v[0]), static_cast<solenoid::real>(*v[1]),
              static_cast<solenoid::real>(*v[2])};
}

std::vector<std::string> TomlSection::words(const std::string& key, const std::vector<std::string>& allowed,
                                            const std::vector<std::string>& fallback, std::size_t least) {
  std::vector<std::string> value;
  const TomlNode* node = read(key);
  const auto* entries = node ? std::get_if<TomlArray>(&node->value) : nullptr;
  if (!node) value = fallback;
  if (node && (!entries || entries->size() < least)) wrong(key, *node, "a list of " + list(allowed, "\"", ", "));
  for (const TomlNode& entry : entries ? *entries : TomlArray{}) {
    const auto* word = std::get_if<std::string>(&entry.value);
    if (!word || std::find(allowed.begin(), allowed.end(), *word) == allowed.end()) {
      wrong(key, entry, list(allowed, "\"", " or ") + (word ? did_you_mean(*word, allowed, "\"") : ""));
    } else if (std::find(value.begin(), value.end(), *word) != value.end()) {
      wrong(key, entry, "each word once");
    } else {
      value.push_back(*word);
    }
  }
  record(key, value);
  return value;
}

std::vector<std::string> TomlSection::names(const std::string& key, std::size_t least, std::size_t most) {
  const std::string expected =
      least == most ? message("{} names, each once", most) : message("{} to {} names, each once", least, most);
  const TomlNode* node = read_required(key, expected);
  if (!node) return {};
  std::vector<std::string> value;
  const auto* entries = std::get_if<TomlArray>(&node->value);
  for (const TomlNode& entry : entries ? *entries : TomlArray{}) {
    const auto* name = std::get_if<std::string>(&entry.value);
    if (name && std::find(value.begin(), value.end(), *name) == value.end()) value.push_back(*name);
  }
  if (!entries || value.size() != entries->size() || value.size() < least || value.size() > most) {
    wrong(key, *node, expected);
    return {};
  }
  record(key, value);
  return value;
}

std::optional<std::size_t> TomlSection::find_word(const std::string& key, const std::vector<std::string>& names,
                                                  const std::vector<RefusedWord>& refused,
                                                  const std::optional<std::string>& fallback) {
  const std::string expected = list(names, "\"", " or ");
  const TomlNode* node = fallback ? read(key) : read_required(key, expected);
  if (!node && !fallback) return std::nullopt;
  const auto* given = node ? std::get_if<std::string>(&node->value) : &*fallback;
  if (!given) {
    wrong(key, *node, expected);
    return std::nullopt;
  }
  record(key, *given);
  if (const auto name = std::find(names.begin(), names.end(), *given); name != names.end()) {
    return static_cast<std::size_t>(name - names.begin());
  }
  std::vector<std::string> known = names;
  for (const RefusedWord& entry : refused) {
    known.push_back(entry.word);
    if (entry.word != *given) continue;
    state_->note(label(key, *node), node->origin, ": \"" + entry.word + "\" " + entry.why);
    return std::nullopt;
  }
  wrong(key, *node, expected + did_you_mean(*given, known, "\""));
  return std::nullopt;
}

TomlSection TomlSection::table(const std::string& key) {
  const TomlNode* node = read(key);
  record(key, Json::object());
  if (node && !is_table(*node)) {
    wrong(key, *node, "a table " + child(key, nullptr).label());
    node = nullptr;
  }
  return child(key, node);
}

TomlSection TomlSection::required_table(const std::string& key, const std::string& expected) {
  if (node_ && !has(key)) {
    state_->note("missing table " + child(key, nullptr).label(), node_->origin, ": expected " + expected);
  }
  return table(key);
}

std::vector<std::pair<std::string, TomlSection>> TomlSection::named_tables(const std::string& expected) {
  std::vector<std::pair<std::string, TomlSection>> sections;
  if (!node_) return sections;
  const auto& entries = std::get<TomlTable>(node_->value);
  if (entries.empty()) state_->note("nothing in " + label(), node_->origin, ": expected " + expected);
  for (const TomlEntry& entry : entries) sections.emplace_back(entry.key, table(entry.key));
  return sections;
}

std::vector<TomlSection> TomlSection::tables(const std::string& key) {
  std::vector<TomlSection> sections;
  const TomlNode* node = read(key);
  record(key, Json::array());
  if (!node) return sections;
  if (!is_array_of_tables(*node)) {
    wrong(key, *node, "tables [[" + key + "]]");
    return sections;
  }
  for (const TomlNode& entry : std::get<TomlArray>(node->value)) {
    std::vector<std::string> path = path_;
    path.insert(path.end(), {key, std::to_string(sections.size())});
    sections.push_back(TomlSection(*state_, &entry, std::move(path), true));
  }
  return sections;
}

bool TomlSection::refuse(const std::string& key, const std::string& why) {
  const TomlNode* node = read(key);
  if (!node) return false;
  state_->note(label(key, *node), node->origin, " " + why);
  return true;
}

void TomlSection::exclusive(const std::string& first, const std::string& second, bool one_is_required) {
  read(first);
  read(second);
  if (!node_ || has(first) != has(second) || (!has(first) && !one_is_required)) return;
  const auto& entries = std::get<TomlTable>(node_->value);
  if (has(first)) {
    const TomlOrigin& later = std::max(find(entries, first)->origin, find(entries, second)->origin);
    state_->note(message("`{}` and `{}` in {}", first, second, label()), later,
                 message(": found both, expected {} one", one_is_required ? "exactly" : "at most"));
  } else {
    state_->note(message("missing key `{}` or `{}` in {}", first, second, label()), node_->origin,
                 ": expected exactly one");
  }
}

void TomlSection::ignore_rest() {
  if (node_) state_->of(node_).rest_ignored = true;
}

bool TomlSection::has(const std::string& key) const { return node_ && find(std::get<TomlTable>(node_->value), key); }

bool TomlSection::has_table(const std::string& key) const {
  return has(key) && is_table(*find(std::get<TomlTable>(node_->value), key));
}

void TomlSection::wrong(const std::string& key, const std::string& expected) {
  wrong(key, *find(std::get<TomlTable>(node_->value), key), expected);
}

void TomlSection::wrong(const std::string& key, const TomlNode& node, const std::string& expected) {
  state_->note(label(key, node), node.origin, message(": found {}, expected {}", node.written, expected));
}

TomlSection TomlSection::child(const std::string& key, const TomlNode* node) const {
  std::vector<std::string> path = path_;
  path.push_back(key);
  return TomlSection(*state_, node, std::move(path));
}

const TomlNode* TomlSection::read(const std::string& key) {
  if (!node_) return nullptr;
  std::vector<std::string>& known = state_->of(node_).known;
  if (std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
  return find(std::get<TomlTable>(node_->value), key);
}

const TomlNode* TomlSection::read_required(const std::string& key, const std::string& expected) {
  const TomlNode* node = read(key);
  if (node_ && !node) {
    state_->note(message("missing key `{}` in {}", key, label()), node_->origin, ": expected " + expected);
  }
  return node;
}

std::optional<double> TomlSection::number(const std::string& key, const TomlNode& node, const NumberRange& range,
                                          const char* or_else) {
  std::optional<double> value;
  if (const auto* real = std::get_if<double>(&node.value)) value = *real;
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) value = static_cast<double>(*integer);
  if (value && std::isfinite(*value) && range.holds(*value)) return value;
  wrong(key, node, std::string(range.expected) + or_else);
  return std::nullopt;
}

std::optional<int> TomlSection::whole_number(const std::string& key, const TomlNode& node, int least, int most) {
  const auto* value = std::get_if<std::int64_t>(&node.value);
  if (value && *value >= least && *value <= most) return static_cast<int>(*value);
  const bool too_large = value && *value > most;
  wrong(key, node, too_large ? message("an integer of at most {}", most) : message("an integer of at least {}", least));
  return std::nullopt;
}

std::string TomlSection::label() const {
  if (path_.empty()) return "the case";
  std::string text;
  const std::size_t keys = path_.size() - (in_array_ ? 1 : 0);
  for (std::size_t i = 0; i < keys; ++i) text += (i > 0 ? "." : "") + as_toml_key(path_[i]);
  return in_array_ ? "[[" + text + "]]" : "[" + text + "]";
}

std::string TomlSection::label(const std::string& key, const TomlNode& node) const {
  const std::string header = child(key, nullptr).label();
  if (is_table(node)) return "`" + header + "`";
  if (is_array_of_tables(node)) return "`[" + header + "]`";
  return "`" + key + "`" + (path_.empty() ? "" : " in " + label());
}

void TomlSection::record(const std::string& key, Json value) {
  Json* table = &state_->effective;
  for (const std::string& step : path_) table = table->is_array() ? &(*table)[std::stoul(step)] : &(*table)[step];
  (*table)[key] = std::move(value);
}

void TomlSection::note_unknown_keys() {
  const std::vector<std::string>& known = state_->of(node_).known;
  for (const TomlEntry& entry : std::get<TomlTable>(node_->value)) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    std::string hint = did_you_mean(entry.key, known, "`");
    if (hint.empty()) hint = ": known are " + list(known, "`", " and ");
    const std::string kind = is_table(entry.node) || is_array_of_tables(entry.node) ? "unknown table " : "unknown key ";
    state_->note(kind + label(entry.key, entry.node), entry.node.origin, hint);
  }
}

TomlDocument::TomlDocument(const std::filesystem::path& file, const std::vector<std::string>& sets)
    : state_(std::make_unique<TomlSection::State>()) {
  state_->root = read_toml(file, sets);
  state_->folder = file.parent_path();
}

TomlDocument::~TomlDocument() = default;

void TomlDocument::define(FormulaFunctions functions) { state_->functions = std::move(functions); }

TomlSection TomlDocument::root() { return TomlSection(*state_, &state_->root, {}); }

void TomlDocument::finish() {
  for (auto& opened : state_->opened) {
    if (!opened.rest_ignored) opened.section.note_unknown_keys();
  }
  std::stable_sort(state_->faults.begin(), state_->faults.end(),
                   [](const auto& a, const auto& b) { return a.origin < b.origin; });
  std::vector<std::string> faults;
  for (const auto& fault : state_->faults) faults.push_back(visible(fault.text));
  faults.resize(faults.size() + state_->further_faults);
  require_input(faults.empty(), [&] { return fault_list(faults); });
}

const Json& TomlDocument::effective() const { return state_->effective; }

}  // namespace solenoid
