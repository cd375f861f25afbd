/// CSV tables: a header of `name [unit]`, then numbers only; written for a run, read of a run or a case.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <istream>
#include <string>
#include <variant>
#include <vector>

#include "base/output_folder.hpp"

namespace solenoid {

using CsvValue = std::variant<std::int64_t, double>;

/// A CSV file that grows by whole rows; other programs can read it after each row. Serial: rank 0 writes. Throws Error
/// (exit code 1) that names the path and the reason if the file cannot be written.
class CsvFile {
 public:
  /// Creates or replaces `path`, with this header.
  CsvFile(std::filesystem::path path, const std::vector<std::string>& columns);
  /// Continues `path`: keeps the rows whose first value is at most `last` and drops the others; creates a missing file.
  /// Throws Error (exit code 2) as require_same_columns does.
  CsvFile(std::filesystem::path path, const std::vector<std::string>& columns, double last);
  ~CsvFile();
  CsvFile(CsvFile&& other) noexcept;
  CsvFile& operator=(CsvFile&&) = delete;

  /// Adds a row, one value per column; reals have the digits for an exact round trip.
  void row(const std::vector<CsvValue>& values);

 private:
  void write(const std::string& text);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::size_t columns_;
};

/// A table of the results with a row for each step or time; the first column holds the step or the time.
struct GrowingTable {
  std::string name;  ///< of its file in the result folder
  std::vector<std::string> columns;
};

/// The table in `folder`: new, or continued up to the moment of the restart.
CsvFile file_of(const GrowingTable& table, const OutputFolder& folder);

/// Throws Error (exit code 2) if the table in `folder` has other columns, so that a run cannot continue it. Serial.
void require_same_columns(const GrowingTable& table, const std::filesystem::path& folder);

/// Writes a complete table, or none, replacing `path`. Serial; throws as CsvFile does.
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               const std::vector<std::vector<CsvValue>>& rows);

struct TableColumn {
  std::string name, unit;  ///< "" if the header has no unit
  std::vector<double> values;
};

/// The columns of a CSV file with a header line of `name [unit]` or `name`, all of the same length. Lines that begin
/// with # are skipped; with `in_the_making` an unterminated last line is skipped. Serial. Throws Error (exit code 2)
/// that names the file, the line and the fault.
std::vector<TableColumn> read_table(const std::filesystem::path& file, bool in_the_making = false);
/// The same of the lines in `in`; `file` names them in messages.
std::vector<TableColumn> read_table(std::istream& in, const std::string& file, bool in_the_making = false);

/// The column of this name; nullptr if there is none.
const TableColumn* column_of(const std::vector<TableColumn>& table, const std::string& name);

/// The first line without its #, if it begins with one: the source of the values. Otherwise "".
std::string source_of_table(const std::filesystem::path& file);

}  // namespace solenoid
