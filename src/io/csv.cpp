#include "io/csv.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& columns)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")), columns_(columns.size()) {
  require(file_ != nullptr, [&] { return message("{}: cannot be written: {}", path_.string(), std::strerror(errno)); });
  std::string header;
  for (const std::string& column : columns) header += (header.empty() ? "" : ",") + column;
  write(header + "\n");
}

CsvFile::CsvFile(CsvFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)), columns_(other.columns_) {}

CsvFile::~CsvFile() {
  if (file_) std::fclose(file_);
}

void CsvFile::row(const std::vector<CsvValue>& values) {
  require(values.size() == columns_,
          [&] { return message("{}: {} values for {} columns", path_.string(), values.size(), columns_); });
  std::string line;
  for (const CsvValue& value : values) {
    if (!line.empty()) line += ",";
    line += std::visit([](auto v) { return message("{}", v); }, value);
  }
  write(line + "\n");
}

void CsvFile::write(const std::string& text) {
  const bool good = std::fputs(text.c_str(), file_) >= 0 && std::fflush(file_) == 0;
  require(good, [&] { return message("{}: cannot be written: {}", path_.string(), std::strerror(errno)); });
}

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               const std::vector<std::vector<CsvValue>>& rows) {
  const std::filesystem::path fresh = path.string() + ".tmp";
  {
    CsvFile file(fresh, columns);
    for (const std::vector<CsvValue>& row : rows) file.row(row);
  }
  std::error_code code;
  std::filesystem::rename(fresh, path, code);
  require(!code, [&] { return message("{}: cannot be written: {}", path.string(), code.message()); });
}

}  // namespace solenoid
