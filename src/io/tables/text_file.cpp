#include "io/tables/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "base/output_file.hpp"

namespace solenoid {

void write_text_file(const std::filesystem::path& file, const std::string& text) {
  FreshFile fresh(file);
  errno = 0;
  std::ofstream out(fresh.path());
  out << text;
  out.close();
  require(out.good(), [&] { return message("{}: cannot be written: {}", file.string(), std::strerror(errno)); });
  fresh.replace_file();
}

}  // namespace solenoid
