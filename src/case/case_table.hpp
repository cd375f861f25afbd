/// Files that a case names: their text or their columns, and a checksum of their content.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/tables/csv.hpp"

namespace solenoid {

struct CaseText {
  std::string content;   ///< unpacked
  std::string checksum;  ///< CRC-32 of the content, as 8 hexadecimal digits
};

/// Reads a file, which gzip may have packed. Throws Error (bad input) with the fault, without the name.
CaseText read_case_text(const std::filesystem::path& file);

struct CaseTable {
  std::vector<TableColumn> columns;
  std::string checksum;  ///< as of CaseText
};

/// Reads a CSV, which gzip may have packed. Throws Error (bad input) that names the file or its fault.
CaseTable read_case_table(const std::filesystem::path& file);

/// The column of this name, all of whose values are finite. Throws Error (bad input) if there is none or several, or
/// with the first row that is not finite; rows count from 1 below the header.
const TableColumn& finite_column(const std::vector<TableColumn>& table, const std::string& name);

}  // namespace solenoid
