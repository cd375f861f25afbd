/// What the user reads: plain lines on rank 0's screen, kept for run.log.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

class Log {
 public:
  /// Lines appear on rank 0 only; with `quiet` they go to the log file alone.
  Log(const Comm& comm, bool quiet);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void line(const std::string& text);  ///< to the screen and the log file
  void note(const std::string& text);  ///< to the log file alone

  /// From here on lines also go to `file` (created; what was said before is written first). Rank 0 only; throws Error.
  void write_to(const std::filesystem::path& file);

 private:
  void record(const std::string& text);

  bool speaks_, quiet_;
  std::string said_before_file_;
  std::FILE* file_ = nullptr;
};

}  // namespace solenoid
