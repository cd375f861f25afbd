#include "io/tables/csv_table.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/error.hpp"

namespace solenoid {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    parts.emplace_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

/// "name [unit]" or "name".
TableColumn headed(const std::string& heading) {
  const std::size_t bracket = heading.rfind(" [");
  if (bracket == heading.npos || heading.back() != ']') return {heading, "", {}};
  return {heading.substr(0, bracket), heading.substr(bracket + 2, heading.size() - bracket - 3), {}};
}

}  // namespace

std::vector<TableColumn> read_table(const std::filesystem::path& file, bool in_the_making) {
  std::ifstream in(file);
  require_input(in.good() && !std::filesystem::is_directory(file),
                [&] { return message("{}: cannot be read", file.string()); });
  std::vector<TableColumn> table;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (trimmed(line).empty() || (table.empty() && line.front() == '#')) continue;
    if (table.empty()) {
      for (const std::string& heading : split(line)) table.push_back(headed(heading));
      continue;
    }
    if (in_the_making && in.eof()) break;
    const std::vector<std::string> values = split(line);
    require_input(values.size() == table.size(), [&] {
      return message("{}:{}: {} values for {} columns", file.string(), number, values.size(), table.size());
    });
    for (std::size_t k = 0; k < values.size(); ++k) {
      char* end = nullptr;
      table[k].values.push_back(std::strtod(values[k].c_str(), &end));
      require_input(!values[k].empty() && *end == '\0',
                    [&] { return message("{}:{}: found `{}`, expected a number", file.string(), number, values[k]); });
    }
  }
  require_input(!table.empty(), [&] { return message("{}: has no header line", file.string()); });
  return table;
}

const TableColumn* column_of(const std::vector<TableColumn>& table, const std::string& name) {
  for (const TableColumn& column : table) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::string source_of_table(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line.empty() || line.front() != '#') return "";
  return std::string(trimmed(std::string_view(line).substr(1)));
}

}  // namespace solenoid
