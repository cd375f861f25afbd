/// Requests to a running case: by signals from a scheduler, a script or Ctrl-C, and by the control file of its result
/// folder.
#pragma once

#include <sys/stat.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>

#include "base/comm.hpp"
#include "base/log.hpp"
#include "base/output_folder.hpp"
#include "base/phases.hpp"

namespace solenoid {

/// While it exists, SIGUSR1, SIGINT and SIGTERM do not end the process but request a stop; a second SIGINT or SIGTERM
/// ends it. If mpirun starts the ranks, it forwards SIGUSR1, but kills the ranks soon after one of the other signals.
/// One object at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();  ///< restores the earlier signal handlers
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// The last signal received by this rank; 0: none so far.
  int received() const;

 private:
  static constexpr std::array signals{SIGUSR1, SIGINT, SIGTERM};
  std::array<struct sigaction, signals.size()> before_;
};

/// Requests in a control file.
struct ControlRequest {
  bool write = false;           ///< fields, lines and a checkpoint after this step
  bool stop = false;            ///< the same, then end the run
  std::optional<double> end;    ///< new end of the run [s]
  std::optional<double> every;  ///< new output interval in simulated time [s]
};

/// The file `control`, polled at most ten times a second; one from before the run is ignored. Serial: rank 0.
class ControlFile {
 public:
  ControlFile() = default;
  explicit ControlFile(const std::filesystem::path& folder);

  /// Its path, whether or not it exists.
  const std::filesystem::path& path() const { return path_; }
  /// Whether it existed when the run began.
  bool was_there() const { return before_.has_value(); }
  /// Whether there is a new, completely written one for take().
  bool is_there();
  /// Returns its text and removes the file. Throws Error: exit code 1 if it cannot be removed, 2 if it is too long.
  std::string take();

 private:
  /// Identifies the content of a file.
  struct Stamp {
    ino_t inode;
    timespec written;
    off_t size;
    bool operator==(const Stamp& other) const;
  };
  std::optional<Stamp> stamp() const;

  std::filesystem::path path_;
  std::optional<Stamp> before_;      // of a file from before the run, or one that take() could not remove
  std::optional<Stamp> unfinished_;  // of one without a final newline at the last poll
  Stopwatch since_look_;
};

/// The requests after a step, the same on every rank.
struct RunRequest : ControlRequest {
  std::string stopped_by;  ///< source of a stop request, "SIGUSR1" or "control file"; empty: none
};

/// Collects the requests. All functions are collective.
class RunRequests {
 public:
  RunRequests(const Comm& comm, const StopRequest& signals) : comm_(comm), signals_(signals) {}

  /// Watches for the control file in `folder` from now on; warns in `log` of one that exists already.
  void open(const OutputFolder& folder, Log& log);
  /// Call after a step. Logs the content of the control file; a faulty file is logged and ignored as a whole.
  RunRequest take(Log& log);

 private:
  Comm comm_;
  const StopRequest& signals_;
  ControlFile file_;  // rank 0
};

}  // namespace solenoid
