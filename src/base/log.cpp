#include "base/log.hpp"

#include "base/output_file.hpp"

#include "base/characters.hpp"

namespace solenoid {

namespace {

/// The first `columns` characters of a UTF-8 text.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t characters = 0, end = 0;
  for (; end < text.size(); ++end) {
    const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (starts_character && characters++ == columns) break;
  }
  return text.substr(0, end);
}

}  // namespace

Log::Log(const Comm& comm, bool quiet) : speaks_(comm.is_root()), quiet_(quiet) {}

Log::~Log() {
  live("");
  if (file_) std::fclose(file_);
}

void Log::line(const std::string& said) {
  if (!speaks_) return;
  const std::string text = printable(said);
  const std::lock_guard lock(one_at_a_time_);
  if (!quiet_) {
    clear_live_line();
    std::fprintf(stdout, "%s\n", text.c_str());
    show_live_line();
    std::fflush(stdout);
  }
  record(text);
}

void Log::note(const std::string& said) {
  if (!speaks_) return;
  const std::lock_guard lock(one_at_a_time_);
  record(printable(said));
}

void Log::live(const std::string& text) {
  if (!is_live()) return;
  const std::lock_guard lock(one_at_a_time_);
  clear_live_line();
  live_line_ = printable(text);
  show_live_line();
  std::fflush(stdout);
}

void Log::show_live_line() const {
  if (!live_line_.empty()) std::fputs(cut(live_line_, terminal_.columns() - 1).c_str(), stdout);
}

void Log::clear_live_line() const {
  if (!live_line_.empty()) std::fputs("\r\033[K", stdout);
}

void Log::write_to(const std::filesystem::path& file, LogFile how) {
  if (!speaks_) return;
  const std::lock_guard lock(one_at_a_time_);
  file_ = how == LogFile::anew ? create_file(file) : append_to_file(file);
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
