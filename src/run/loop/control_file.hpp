/// Requests to a running case by a file in its result folder.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/phases.hpp"

namespace solenoid {

/// Requests in a control file.
struct ControlRequest {
  bool write = false;           ///< fields, lines and a checkpoint after this step
  bool stop = false;            ///< the same, then end the run
  std::optional<double> end;    ///< new end of the run [s]
  std::optional<double> every;  ///< new output interval in simulated time [s]
};

/// Parses `write`, `stop`, `end = 20` and `every = 0.5`, one per line, with comments from # on. `name`: file name for
/// messages. Throws Error (exit code 2) with the line, the text found and the text expected.
ControlRequest read_control(const std::string& text, const std::string& name);

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

}  // namespace solenoid
