/// Outcome of a run, for the log, summary.json and the report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/real.hpp"

namespace solenoid {

struct RunReport {
  int steps = 0;               ///< 0 where a steady state was solved for at once
  int began_at = 0;            ///< the step that it goes on from
  real time = 0;               ///< simulated [s]
  double wall_seconds = 0;     ///< of all steps, output included
  double step_seconds = 0;     ///< of the steps since then alone
  std::string stopped_by;      ///< "end", "steady", "interrupted", or "failure"
  std::string interrupted_by;  ///< who, "SIGUSR1" or "control file"; empty: nobody
  std::string checkpoint;      ///< the last one's file name

  std::vector<std::string> outcome;                                   ///< lines for the log
  nlohmann::ordered_json figures = nlohmann::ordered_json::object();  ///< the model's own entries of summary.json
};

}  // namespace solenoid
