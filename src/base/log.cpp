#include "base/log.hpp"

#include <cerrno>
#include <cstring>

namespace solenoid {

Log::Log(const Comm& comm, bool quiet) : speaks_(comm.is_root()), quiet_(quiet) {}

Log::~Log() {
  if (file_) std::fclose(file_);
}

void Log::line(const std::string& text) {
  if (!speaks_) return;
  if (!quiet_) {
    std::fprintf(stdout, "%s\n", text.c_str());
    std::fflush(stdout);
  }
  record(text);
}

void Log::note(const std::string& text) {
  if (speaks_) record(text);
}

void Log::write_to(const std::filesystem::path& file) {
  if (!speaks_) return;
  file_ = std::fopen(file.c_str(), "w");
  require(file_ != nullptr, [&] { return message("{}: cannot be written: {}", file.string(), std::strerror(errno)); });
  std::fputs(said_before_file_.c_str(), file_);
  said_before_file_.clear();
}

void Log::record(const std::string& text) {
  if (file_) {
    std::fprintf(file_, "%s\n", text.c_str());
    std::fflush(file_);
  } else {
    said_before_file_ += text + "\n";
  }
}

}  // namespace solenoid
