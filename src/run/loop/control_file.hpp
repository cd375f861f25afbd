/// Requests to a running case by a file in its result folder.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/phases.hpp"

namespace solenoid {

/// What the lines of a control file ask for.
struct ControlRequest {
  bool write = false;           ///< fields, lines and a checkpoint after this step
  bool stop = false;            ///< the same, and the end of the run
  std::optional<double> end;    ///< of the run [s]
  std::optional<double> every;  ///< simulated time between outputs [s]
};

/// Reads `write`, `stop`, `end = 20` and `every = 0.5`, a line each, and comments from # on. `name` is the file's, for
/// messages. Throws Error (exit code 2) that names the line, what was found and what was expected.
ControlRequest read_control(const std::string& text, const std::string& name);

/// The file `control`, looked for at most ten times a second. What was there before the run asks nothing of it. Serial:
/// rank 0.
class ControlFile {
 public:
  ControlFile() = default;
  explicit ControlFile(const std::filesystem::path& folder);

  /// Where it is, or would be.
  const std::filesystem::path& path() const { return path_; }
  /// Whether it was there already when the run began.
  bool was_there() const { return before_.has_value(); }
  /// Whether there is one now to take().
  bool is_there();
  /// Its text; the file is gone then. Throws Error (exit code 1) where it cannot be read or removed.
  std::string take();

 private:
  /// A file's content is another one when this is.
  struct Stamp {
    ino_t inode;
    timespec written;
    off_t size;
    bool operator==(const Stamp& other) const;
  };
  std::optional<Stamp> stamp() const;

  std::filesystem::path path_;
  std::optional<Stamp> before_;      // of a file of before the run, or one that could not be taken
  std::optional<Stamp> unfinished_;  // of one whose last line had no end at the last look
  Stopwatch since_look_;
};

}  // namespace solenoid
