/// The command `solenoid run`: from a case file to a result folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"

namespace solenoid {

struct RunOptions {
  std::filesystem::path case_file;
  std::vector<std::string> sets;       ///< key=value
  std::string command;                 ///< the whole command line, as a shell takes it
  std::filesystem::path output;        ///< empty: results/<name of the case's folder>
  std::optional<std::string> restart;  ///< from a checkpoint: its file, or "auto": the newest in `output`
  bool report = true;                  ///< with report.html
  bool quiet = false;
  bool dry_run = false;  ///< all of a run but its steps; nothing is written
};

/// Runs the case on all ranks. Collective. Returns ExitCode::done, or stopped_early
/// where somebody asked it to stop; or throws.
ExitCode run_case(const Comm& comm, const RunOptions& options);

}  // namespace solenoid
