/// A TOML file with the `--set` values laid over it, as plain values with their origin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace solenoid {

/// Where a value was written. Origins sort in file order; those of `--set` come after all of the file's.
struct TomlOrigin {
  int line = 0, column = 0;
  std::string place;  ///< for messages: "case.toml:7" or "--set flow.viscosity=0.1"

  bool operator<(const TomlOrigin& other) const {
    return line != other.line ? line < other.line : column < other.column;
  }
};

struct TomlNode;
struct TomlEntry;
using TomlArray = std::vector<TomlNode>;
using TomlTable = std::vector<TomlEntry>;  ///< in file order

/// One value; std::monostate stands for dates and times, which no key of a case takes.
struct TomlNode {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, TomlArray, TomlTable> value;
  std::string written;  ///< the value in one line for messages, shortened: "exact", 0.1, [1, 2], a table
  TomlOrigin origin;    ///< of the key, of a table's header, or of an array's entry
};

struct TomlEntry {
  std::string key;
  TomlNode node;
};

/// The entry of `table` with this key, or null.
const TomlNode* find(const TomlTable& table, const std::string& key);

/// Reads `file` and lays the values of `sets` ("key.path=value", later ones win) over it. A value that is not TOML is
/// taken as a string unless it begins with a bracket, a brace or a quote; an empty one takes the key away, as
/// though the file did not have it. Throws Error (bad input) with file, line and
/// column for what is not TOML, and for a file that cannot be read.
TomlNode read_toml(const std::filesystem::path& file, const std::vector<std::string>& sets);

}  // namespace solenoid
