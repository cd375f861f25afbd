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
  int steps = 5;                  ///< steps per run
};

/// Repeats the first steps of the case, each time with one change, and compares. Prints the outcomes and writes
/// verify.json. Collective. Returns ExitCode::done if all applicable proofs hold, failure otherwise; throws as a run
/// does.
ExitCode verify(const Comm& comm, const VerifyOptions& options);

}  // namespace solenoid
