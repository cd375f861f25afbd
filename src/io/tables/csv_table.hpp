/// Reader of numeric tables, of a run or of a case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace solenoid {

struct TableColumn {
  std::string name, unit;  ///< "" if the header has no unit
  std::vector<double> values;
};

/// The columns of a CSV file with a header line of `name [unit]` or `name`, all of the same length. Lines that begin
/// with # before the header are skipped; with `in_the_making` an unterminated last line is skipped. Serial. Throws
/// Error (exit code 2) that names the file, the line and the fault.
std::vector<TableColumn> read_table(const std::filesystem::path& file, bool in_the_making = false);

/// The column of this name; nullptr if there is none.
const TableColumn* column_of(const std::vector<TableColumn>& table, const std::string& name);

/// The first line without its #, if it begins with one: the source of the values. Otherwise "".
std::string source_of_table(const std::filesystem::path& file);

}  // namespace solenoid
