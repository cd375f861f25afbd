/// Tables for people and scripts: a header of `name [unit]`, then numbers only.
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
  /// it is made. Throws Error (exit code 2) where its header is another one.
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

/// The file `name` in `folder`, a row for each step or time as the first column says: anew, or where the run goes on
/// with what is there, up to that moment.
CsvFile table_in(const OutputFolder& folder, const std::string& name, const std::vector<std::string>& columns);

/// Writes a table that is there whole or not at all, replacing `path`. Serial; throws as CsvFile does.
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               const std::vector<std::vector<CsvValue>>& rows);

}  // namespace solenoid
