/// The command `solenoid verify`: whether a case can be trusted, by changes that must not change its results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/comm.hpp"

namespace solenoid {

struct VerifyOptions {
  std::filesystem::path case_file;
  std::vector<std::string> sets;  ///< key=value
  std::filesystem::path output;   ///< result folder; empty: results/<name>-verify
  int steps = 5;                  ///< of each run
};

/// Runs the first steps of the case again and again, each time otherwise, and compares. Prints what held and leaves
/// verify.json. Collective. Returns ExitCode::done where all held that applies, failure otherwise; throws as a run
/// does.
ExitCode verify(const Comm& comm, const VerifyOptions& options);

}  // namespace solenoid
