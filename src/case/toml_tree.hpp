/// A TOML file with the `--set` values laid over it, as plain values with their origin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace solenoid {

/// Source position of a value. Origins sort in file order; those of `--set` follow all of the file's.
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

/// One value; std::monostate stands for dates and times, which no key of a case accepts.
struct TomlNode {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, TomlArray, TomlTable> value;
  std::string written;  ///< the value in one line, shortened, for messages: "exact", 0.1, [1, 2], a table
  TomlOrigin origin;    ///< position of the key, of a table's header, or of an array's entry
};

struct TomlEntry {
  std::string key;
  TomlNode node;
};

/// The value of this key in `table`, or null.
const TomlNode* find(const TomlTable& table, const std::string& key);

/// Reads `file` and overrides its values by those of `sets` ("key.path=value", later ones win). A value that is not
/// TOML counts as a string unless it begins with a bracket, a brace or a quote. An empty value removes the key. Throws
/// Error (bad input) for invalid TOML, with file, line and column, and for a file that cannot be read.
TomlNode read_toml(const std::filesystem::path& file, const std::vector<std::string>& sets);

}  // namespace solenoid
