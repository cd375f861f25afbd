#include "io/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.hpp"

namespace solenoid {

void write_text_file(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".part";
  errno = 0;
  std::ofstream out(fresh);
  out << text;
  out.close();
  require(out.good(), [&] { return message("{}: cannot be written: {}", fresh.string(), std::strerror(errno)); });
  std::error_code code;
  std::filesystem::rename(fresh, file, code);
  require(!code, [&] { return message("{}: cannot be replaced: {}", file.string(), code.message()); });
}

}  // namespace solenoid
