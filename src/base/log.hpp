/// Messages for the user: lines on rank 0's screen, kept for run.log, with one live line below them on a terminal; a
/// long stage has its progress there.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "base/comm.hpp"
#include "base/host_memory.hpp"
#include "base/phases.hpp"

namespace solenoid {

/// The terminal behind standard output, if there is one. Open MPI's mpirun gives each rank a pseudo-terminal whatever
/// its own output is, so under a launcher the launcher's output counts.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_there() const { return screen_ >= 0; }
  std::size_t columns() const;  ///< current width of the terminal; 80 if unknown

 private:
  int screen_ = -1;  // open file of the terminal
};

/// Every function may be called from several threads at once. All text passes through printable(): names and titles
/// come from outside.
class Log {
 public:
  /// Lines appear on rank 0 only; with `quiet` they go to the log file alone.
  Log(const Comm& comm, bool quiet);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void line(const std::string& said);  ///< to the screen and the log file
  void note(const std::string& said);  ///< to the log file alone

  /// Whether lines are kept or shown here: on rank 0.
  bool speaks() const { return speaks_; }
  /// Whether a terminal shows the live line.
  bool is_live() const { return speaks_ && !quiet_ && terminal_.is_there(); }
  /// Replaces the terminal's last line by `text`, cut to the terminal's width; "" clears it. Does nothing without a
  /// terminal.
  void live(const std::string& text);

  /// From now on lines also go to `file` (created, or extended at its end); earlier lines are written first. Rank 0
  /// only; throws Error.
  enum class LogFile { anew, at_its_end };
  void write_to(const std::filesystem::path& file, LogFile how = LogFile::anew);

 private:
  void record(const std::string& text);
  void show_live_line() const;
  void clear_live_line() const;

  bool speaks_, quiet_;
  Terminal terminal_;
  std::mutex one_at_a_time_;
  std::string live_line_, said_before_file_;
  std::FILE* file_ = nullptr;
};

/// While it exists, a terminal's last line reads "<what> ... 12 s"; without a terminal a line appears after ten seconds
/// and then every minute. Stages shorter than 0.2 s show nothing. An out-of-memory message during the stage names it.
class Activity {
 public:
  Activity(Log& log, std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  void show();

  Log& log_;
  Purpose purpose_;
  std::string what_;
  Stopwatch since_start_;
  bool over_ = false;  // guarded by mutex_
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread clock_;
};

}  // namespace solenoid
