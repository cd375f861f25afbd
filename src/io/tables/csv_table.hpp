/// Reader of numeric tables, of a run or of a case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace solenoid {

struct TableColumn {
  std::string name, unit;  ///< "" where the header has no unit
  std::vector<double> values;
};

/// The columns of a CSV file with a header line of `name [unit]` or `name`, as many values in each: lines that begin
/// with # before the header are none of it; of a table `in_the_making` a last line without an end is left out. Serial.
/// Throws Error (exit code 2) that names the file, the line and what is wrong.
std::vector<TableColumn> read_table(const std::filesystem::path& file, bool in_the_making = false);

/// The column of this name; nullptr where there is none.
const TableColumn* column_of(const std::vector<TableColumn>& table, const std::string& name);

/// The first line where that begins with #, without it: where the values come from. Otherwise "".
std::string source_of_table(const std::filesystem::path& file);

}  // namespace solenoid
