#include "io/tables/csv.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

std::string line_of(const std::vector<CsvValue>& values) {
  std::vector<std::string> texts;
  for (const CsvValue& value : values) texts.push_back(std::visit([](auto v) { return message("{}", v); }, value));
  return joined(texts, ",") + "\n";
}

/// Skips the header of an existing table and compares it; an unterminated header counts as none.
void skip_header(std::ifstream& in, const std::filesystem::path& path, const std::string& header) {
  std::string line;
  if (!std::getline(in, line) || in.eof()) return;
  require_input(line == header, [&] {
    return message("{}: has other columns than this run writes; go on in another folder (--output)", path.string());
  });
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& columns)
    : path_(std::move(path)), columns_(columns.size()) {
  write_text_file(path_, joined(columns, ",") + "\n");
  file_ = append_to_file(path_);
}

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& columns, double last)
    : path_(std::move(path)), columns_(columns.size()) {
  const std::string header = joined(columns, ",");
  std::string kept = header + "\n";
  if (std::ifstream in(path_); in) {
    skip_header(in, path_, header);
    std::string line;
    while (std::getline(in, line) && !in.eof()) {  // an unfinished row has no newline
      if (std::strtod(line.c_str(), nullptr) <= last) kept += line + "\n";
    }
  }
  write_text_file(path_, kept);
  file_ = append_to_file(path_);
}

CsvFile file_of(const GrowingTable& table, const OutputFolder& folder) {
  const std::filesystem::path path = folder.file(table.name);
  const std::optional<RunMoment>& moment = folder.goes_on_from();
  if (!moment) return {path, table.columns};
  const bool is_by_steps = table.columns.front().starts_with("step");
  return {path, table.columns, is_by_steps ? static_cast<double>(moment->step) : moment->time};
}

void require_same_columns(const GrowingTable& table, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / table.name;
  if (std::ifstream in(path); in) skip_header(in, path, joined(table.columns, ","));
}

CsvFile::CsvFile(CsvFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)), columns_(other.columns_) {}

CsvFile::~CsvFile() {
  if (file_) std::fclose(file_);
}

void CsvFile::row(const std::vector<CsvValue>& values) {
  require(values.size() == columns_,
          [&] { return message("{}: {} values for {} columns", path_.string(), values.size(), columns_); });
  write(line_of(values));
}

void CsvFile::write(const std::string& text) {
  const bool good = std::fputs(text.c_str(), file_) >= 0 && std::fflush(file_) == 0;
  require(good, [&] { return message("{}: cannot be written: {}", path_.string(), std::strerror(errno)); });
}

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               const std::vector<std::vector<CsvValue>>& rows) {
  std::string text = joined(columns, ",") + "\n";
  for (const std::vector<CsvValue>& row : rows) text += line_of(row);
  write_text_file(path, text);
}

namespace {

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
  const std::size_t bracket = heading.rfind('[');
  if (bracket == heading.npos || heading.back() != ']') return {heading, "", {}};
  const std::string name(trimmed(heading.substr(0, bracket)));
  return {name, heading.substr(bracket + 1, heading.size() - bracket - 2), {}};
}

}  // namespace

std::vector<TableColumn> read_table(const std::filesystem::path& file, bool in_the_making) {
  std::ifstream in(file);
  require_input(in.good() && !std::filesystem::is_directory(file),
                [&] { return message("{}: cannot be read", file.string()); });
  return read_table(in, file.string(), in_the_making);
}

std::vector<TableColumn> read_table(std::istream& in, const std::string& file, bool in_the_making) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::vector<TableColumn> table;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (trimmed(line).empty() || line.front() == '#') continue;
    if (table.empty()) {
      for (const std::string& heading : split(line)) table.push_back(headed(heading));
      continue;
    }
    if (in_the_making && in.eof()) break;
    const std::vector<std::string> values = split(line);
    require_input(values.size() == table.size(), [&] {
      const bool has_decimal_commas = line.find(';') != line.npos || values.size() == 2 * table.size();
      return message("{}:{}: {} values for {} columns{}", file, number, values.size(), table.size(),
                     has_decimal_commas ? ": commas separate columns, decimals take a point" : "");
    });
    for (std::size_t k = 0; k < values.size(); ++k) {
      char* end = nullptr;
      table[k].values.push_back(std::strtod(values[k].c_str(), &end));
      require_input(!values[k].empty() && *end == '\0',
                    [&] { return message("{}:{}: found `{}`, expected a number", file, number, values[k]); });
    }
  }
  require_input(!table.empty(), [&] { return message("{}: has no header line", file); });
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
