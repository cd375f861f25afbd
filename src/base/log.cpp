#include "base/log.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/output_file.hpp"
#include "base/phases.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

/// Opens the standard output of mpirun on this machine, the parent of its ranks; -1 where that is not a terminal.
int open_launchers_screen() {
  const std::string output = "/proc/" + std::to_string(::getppid()) + "/fd/1";
  const int screen = ::open(output.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (screen >= 0 && ::isatty(screen)) return screen;
  if (screen >= 0) ::close(screen);
  return -1;
}

}  // namespace

Terminal::Terminal() {
  const char* kind = std::getenv("TERM");
  if (!::isatty(STDOUT_FILENO) || !kind || std::string(kind) == "dumb") return;
  screen_ = std::getenv("OMPI_COMM_WORLD_SIZE") ? open_launchers_screen() : ::dup(STDOUT_FILENO);
}

Terminal::~Terminal() {
  if (screen_ >= 0) ::close(screen_);
}

std::size_t Terminal::columns() const {
  winsize size{};
  return screen_ >= 0 && ::ioctl(screen_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

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

Activity::Activity(Log& log, std::string what) : log_(log), purpose_(what), what_(std::move(what)) {
  if (!log_.speaks()) return;
  try {
    clock_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {  // no thread available: the work continues without a display
  }
}

Activity::~Activity() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (clock_.joinable()) clock_.join();
  log_.live("");
}

void Activity::show() {
  constexpr std::chrono::milliseconds tick{200};
  double next_line = 10;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, tick, [this] { return over_; })) {
    const double seconds = since_start_.seconds();
    const std::string text = what_ + " ... " + duration_text(seconds);
    if (log_.is_live()) {
      log_.live(text);
    } else if (seconds >= next_line) {
      log_.line(text);
      next_line = seconds + 60;
    }
  }
}

}  // namespace solenoid
