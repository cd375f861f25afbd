/// CSV tables: a header of `name [unit]`, then numbers only.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/output_folder.hpp"

namespace solenoid {

using CsvValue = std::variant<std::int64_t, double>;

/// A CSV file that grows by whole rows, readable after each, also by others. Serial: rank 0 writes. Throws Error (exit
/// code 1) naming the path and the reason when the file cannot be written.
class CsvFile {
 public:
  /// Makes `path` anew with this header.
  CsvFile(std::filesystem::path path, const std::vector<std::string>& columns);
  /// Goes on with the rows of `path` whose first value is at most `last`, and drops the others; where it is not there,
  /// it is made. Throws Error (exit code 2) as require_same_columns does.
  CsvFile(std::filesystem::path path, const std::vector<std::string>& columns, double last);
  ~CsvFile();
  CsvFile(CsvFile&& other) noexcept;
  CsvFile& operator=(CsvFile&&) = delete;

  /// Adds a row: as many values as there are columns, reals with the digits it takes to read them back.
  void row(const std::vector<CsvValue>& values);

 private:
  void write(const std::string& text);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::size_t columns_;
};

/// A table of the results that grows by a row for each step or time, as the first column says.
struct GrowingTable {
  std::string name;  ///< of its file in the result folder
  std::vector<std::string> columns;
};

/// The table in `folder`: anew, or where the run goes on with what is there, up to that moment.
CsvFile file_of(const GrowingTable& table, const OutputFolder& folder);

/// Whether a run can go on with what is in `folder`: throws Error (exit code 2) where the table there has other
/// columns. Serial.
void require_same_columns(const GrowingTable& table, const std::filesystem::path& folder);

/// Writes a table that is there whole or not at all, replacing `path`. Serial; throws as CsvFile does.
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               const std::vector<std::vector<CsvValue>>& rows);

}  // namespace solenoid
