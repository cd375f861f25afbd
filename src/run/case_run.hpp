/// The run of a case, whatever it computes: what `solenoid run` sees of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/output_folder.hpp"
#include "base/stop_request.hpp"
#include "run/mesh_counts.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// How a run went.
struct RunReport {
  int steps = 0;            ///< 0 where a steady state was solved for at once
  real time = 0;            ///< simulated [s]
  double wall_seconds = 0;  ///< of all steps, output included
  double step_seconds = 0;  ///< of the steps alone
  std::string stopped_by;   ///< "end", "steady" or "interrupted"
  int signal = 0;           ///< what interrupted it

  std::vector<std::string> outcome;  ///< lines for the log
  nlohmann::ordered_json figures;    ///< the method's own entries of summary.json
};

/// How it ended, for the beginning of a line.
inline std::string outcome_word(const RunReport& report) {
  if (report.signal != 0) return message("Interrupted ({})", signal_name(report.signal));
  return report.stopped_by == "steady" ? "Steady" : "Done";
}

class CaseRun {
 public:
  virtual ~CaseRun() = default;

  /// Opens the outputs in `folder`, once nothing more can be wrong with the input. Collective. Throws a collective
  /// Error where a file cannot be written.
  virtual void open(const OutputFolder& folder) = 0;

  /// Computes to the end of the case or to its steady state, or to the end of the step in which it is asked to stop.
  /// Collective. Throws a collective Error (exit code 1) when the computation fails.
  virtual RunReport run(Log& log, const StopRequest& stop) = 0;

  /// What run() is going to do, in a line for the log. Collective.
  virtual std::string plan() const = 0;

  virtual const SolveLog& solves() const = 0;
  virtual const MeshCounts& mesh_counts() const = 0;
};

}  // namespace solenoid
