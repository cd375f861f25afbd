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
  std::string command;                 ///< the whole command line, quoted for a shell
  std::filesystem::path output;        ///< empty: results/<name of the case>
  std::optional<std::string> restart;  ///< checkpoint file, or "auto": the newest in `output`
  bool report = true;                  ///< write report.html
  bool quiet = false;
  bool dry_run = false;  ///< everything but the steps; nothing is written
};

/// Runs the case on all ranks. Collective. Returns ExitCode::done, or stopped_early if a stop was requested; or throws.
ExitCode run_case(const Comm& comm, const RunOptions& options);

}  // namespace solenoid
