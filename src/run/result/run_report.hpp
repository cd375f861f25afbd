/// Outcome of a run, for the log, summary.json and the report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/real.hpp"

namespace solenoid {

struct RunReport {
  int steps = 0;               ///< 0 for a direct steady solve
  int began_at = 0;            ///< step of the restart; 0: none
  real time = 0;               ///< simulated [s]
  double wall_seconds = 0;     ///< of this run's steps, output included
  double step_seconds = 0;     ///< of these steps without output
  std::string stopped_by;      ///< "end", "steady", "interrupted", or "failure"
  std::string interrupted_by;  ///< by "SIGUSR1" or "control file"; empty: not interrupted
  std::string checkpoint;      ///< file name of the last one

  std::vector<std::string> outcome;                                   ///< lines for the log
  nlohmann::ordered_json figures = nlohmann::ordered_json::object();  ///< the model's own entries of summary.json
};

}  // namespace solenoid
