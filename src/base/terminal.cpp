#include "base/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

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

}  // namespace solenoid
