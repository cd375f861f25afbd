#include "case/case_table.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "base/error.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

/// The content of a file, which gzip may have packed.
std::string unpacked(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  require_input(in && !std::filesystem::is_directory(file), [] { return "cannot be read"; });
  std::string content;
  std::vector<char> block(1 << 16);
  int count = 0;
  while ((count = gzread(in.get(), block.data(), static_cast<unsigned>(block.size()))) > 0) {
    content.append(block.data(), static_cast<std::size_t>(count));
  }
  gzerror(in.get(), &count);
  require_input(count == Z_OK, [] { return "is damaged: gzip cannot unpack it"; });
  return content;
}

std::string checksum_of(const std::string& content) {
  std::ostringstream digits;
  digits.width(8);
  digits.fill('0');
  digits << std::hex << crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  return digits.str();
}

}  // namespace

CaseText read_case_text(const std::filesystem::path& file) {
  CaseText text{unpacked(file), ""};
  text.checksum = checksum_of(text.content);
  return text;
}

CaseTable read_case_table(const std::filesystem::path& file) {
  const CaseText text = read_case_text(file);
  std::istringstream lines(text.content);
  return {read_table(lines, file.string()), text.checksum};
}

const TableColumn& finite_column(const std::vector<TableColumn>& table, const std::string& name) {
  std::vector<std::string> known;
  for (const TableColumn& column : table) known.push_back(column.name);
  const TableColumn* const found = column_of(table, name);
  require_input(found, [&] {
    const auto near = nearest_name(name, known);
    return message("no column `{}`", name) +
           (near ? ": did you mean `" + *near + "`?" : ": it has `" + joined(known, "`, `") + "`");
  });
  require_input(std::count(known.begin(), known.end(), name) == 1, [&] { return message("two columns `{}`", name); });
  for (std::size_t i = 0; i < found->values.size(); ++i) {
    require_input(std::isfinite(found->values[i]), [&] { return message("row {} has no finite `{}`", i + 1, name); });
  }
  return *found;
}

}  // namespace solenoid
