#include "case/toml_tree.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "base/nearest_name.hpp"

namespace solenoid {

namespace {
constexpr std::size_t longest_file = std::size_t{1} << 20;  // bytes

/// What a TOML text comes from, for the origins of its values.
struct Source {
  std::string name;
  int set = 0;  ///< 1, 2, ... for the first, second, ... `--set`; 0: the file

  TomlOrigin origin(const toml::source_region& region) const {
    if (set > 0) return {std::numeric_limits<int>::max(), set, "--set " + name};
    const auto line = static_cast<int>(region.begin.line), column = static_cast<int>(region.begin.column);
    return {line, column, message("{}:{}", name, line)};
  }
};

std::string shortened(std::string text) {
  std::size_t longest = 60;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= longest) return text;
  while ((text[longest] & 0xC0) == 0x80) --longest;  // not inside a UTF-8 letter
  return text.substr(0, longest) + "...";
}

std::string written(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array_of_tables()) return "an array of tables";
  if (const auto* text = node.as_string()) return '"' + shortened(text->get()) + '"';
  if (const auto* number = node.as_floating_point()) {
    const std::string digits = message("{}", number->get());
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;  // "n": nan, inf
  }
  std::ostringstream stream;
  if (const auto* array = node.as_array()) {
    for (const toml::node& entry : *array) stream << (stream.tellp() > 0 ? ", " : "") << written(entry);
    return "[" + shortened(stream.str()) + "]";
  }
  node.visit([&](const auto& value) { stream << value; });
  return stream.str();
}

TomlNode plain(const toml::node& node, const Source& source, const toml::source_region& region) {
  TomlNode result{{}, written(node), source.origin(region)};
  if (const auto* boolean = node.as_boolean()) result.value = boolean->get();
  if (const auto* integer = node.as_integer()) result.value = integer->get();
  if (const auto* real = node.as_floating_point()) result.value = real->get();
  if (const auto* text = node.as_string()) result.value = text->get();
  if (const auto* array = node.as_array()) {
    TomlArray entries;
    for (const toml::node& entry : *array) entries.push_back(plain(entry, source, entry.source()));
    result.value = std::move(entries);
  }
  if (const auto* table = node.as_table()) {
    TomlTable entries;
    for (const auto& [key, entry] : *table) {
      entries.push_back({std::string(key.str()), plain(entry, source, key.source())});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const TomlEntry& a, const TomlEntry& b) { return a.node.origin < b.node.origin; });
    result.value = std::move(entries);
  }
  return result;
}

TomlNode parse(std::string_view text, const Source& source) {
  const toml::table table = toml::parse(text);
  return plain(table, source, table.source());
}

std::string fault(const toml::parse_error& error) {
  std::string text(error.description());
  if (text.find("could not determine value type") != std::string::npos) text += "; text needs quotes";
  return text;
}

/// The text as a TOML string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  return result + "\"";
}

/// Where the value begins behind the key.
std::size_t equals_sign(const std::string& set) {
  const std::size_t equals = set.find('=');
  require_input(equals != std::string::npos && equals > 0,
                [&] { return message("--set {}: expected key.path=value, such as flow.viscosity=0.01", set); });
  return equals;
}

TomlNode parse_set(const std::string& set, int ordinal) {
  const Source source{set, ordinal};
  const std::size_t equals = equals_sign(set);
  const std::string value = set.substr(equals + 1);
  try {
    return parse(set, source);
  } catch (const toml::parse_error& error) {
    const bool meant_as_toml = value.find_first_of("[{\"'") == 0;
    require_input(!meant_as_toml, [&] { return message("--set {}: {}", set, fault(error)); });
  }
  try {
    return parse(set.substr(0, equals) + "=" + quoted(value), source);
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::bad_input, message("--set {}: {}", set, fault(error)));
  }
}

/// The keys of a path such as `boundary.lid.velocity`, some of them in quotes.
std::vector<std::string> keys_of(const std::string& path, const std::string& set) {
  std::vector<std::string> keys;
  try {
    const TomlNode root = parse(path + "=0", {set});
    for (const TomlNode* node = &root; const auto* table = std::get_if<TomlTable>(&node->value);) {
      keys.push_back(table->front().key);
      node = &table->front().node;
    }
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::bad_input, message("--set {}: {}", set, fault(error)));
  }
  return keys;
}

/// Takes away what is at `path`.
void take_away(TomlNode& root, const std::string& path, const std::string& set) {
  const std::vector<std::string> keys = keys_of(path, set);
  TomlNode* node = &root;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    TomlTable none;
    TomlTable& table = std::holds_alternative<TomlTable>(node->value) ? std::get<TomlTable>(node->value) : none;
    const auto entry = std::find_if(table.begin(), table.end(), [&](const TomlEntry& e) { return e.key == keys[i]; });
    require_input(entry != table.end(), [&] {
      std::vector<std::string> known;
      for (const TomlEntry& e : table) known.push_back(e.key);
      const auto near = nearest_name(keys[i], known);
      return message("--set {}: takes a key away, and there is no `{}` in the case{}", set, keys[i],
                     near ? ": did you mean `" + *near + "`?" : "");
    });
    if (i + 1 < keys.size()) {
      node = &entry->node;
    } else {
      table.erase(entry);
    }
  }
}

void lay_over(TomlNode& base, TomlNode&& over) {
  auto* table = std::get_if<TomlTable>(&base.value);
  auto* changes = std::get_if<TomlTable>(&over.value);
  if (!table || !changes) {
    base = std::move(over);
    return;
  }
  for (TomlEntry& change : *changes) {
    const auto same = [&](const TomlEntry& entry) { return entry.key == change.key; };
    if (const auto entry = std::find_if(table->begin(), table->end(), same); entry != table->end()) {
      lay_over(entry->node, std::move(change.node));
    } else {
      table->push_back(std::move(change));
    }
  }
}
}  // namespace

const TomlNode* find(const TomlTable& table, const std::string& key) {
  const auto same = [&](const TomlEntry& entry) { return entry.key == key; };
  const auto entry = std::find_if(table.begin(), table.end(), same);
  return entry == table.end() ? nullptr : &entry->node;
}

TomlNode read_toml(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(longest_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  require_input(stream.eof() || stream.good(), [&] { return message("{}: cannot be read", file.string()); });
  text.resize(static_cast<std::size_t>(stream.gcount()));
  require_input(text.size() <= longest_file, [&] {
    return message("{}: has more than {} bytes, expected a case file, which is a short text", file.string(),
                   longest_file);
  });

  TomlNode root;
  try {
    root = parse(text, {file.string()});
    root.origin = {std::numeric_limits<int>::max() - 1, 0, file.string()};  // what the file lacks: after its lines
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw Error(ExitCode::bad_input, message("{}:{}:{}: {}", file.string(), at.line, at.column, fault(error)));
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::size_t equals = equals_sign(sets[i]);
    if (equals + 1 == sets[i].size()) {
      take_away(root, sets[i].substr(0, equals), sets[i]);
    } else {
      lay_over(root, parse_set(sets[i], static_cast<int>(i) + 1));
    }
  }
  return root;
}

}  // namespace solenoid
