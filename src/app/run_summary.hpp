/// summary.json: everything a script needs to know of a run.
#pragma once

#include <filesystem>
#include <string>

#include "app/case_mesh.hpp"
#include "parallel/device.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// How the stepping went.
struct RunReport {
  int steps = 0;
  real time = 0;            ///< simulated [s]
  double wall_seconds = 0;  ///< of all steps, output included
  double step_seconds = 0;  ///< of the steps alone
  std::string stopped_by;   ///< "end" or "steady"
  real max_divergence = 0;  ///< largest over the run
};

/// Writes `folder`/summary.json whole or not at all. Collective; rank 0 writes.
void write_summary(const Comm& comm, const std::filesystem::path& folder, const Case& wanted, const MeshCounts& mesh,
                   const Device& device, const RunReport& run, const SolveLog& solves, const Phases& phases);

}  // namespace solenoid
