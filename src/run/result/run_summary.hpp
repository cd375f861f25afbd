/// summary.json: the outcome of a run and all its figures, for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/comm.hpp"
#include "base/output_folder.hpp"
#include "base/phases.hpp"
#include "case/case_file.hpp"
#include "parallel/memory.hpp"
#include "parallel/placement.hpp"
#include "run/mesh/mesh_counts.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// Outcome of a run, for the log, summary.json and the report.
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

/// Memory traffic, phase by phase and solver by solver: bytes of all ranks, as counted by count_traffic().
struct RunTraffic {
  std::vector<std::pair<std::string, double>> phases, solvers;
  double triad = 0;  ///< bandwidth of all ranks together [bytes/s]; 0: not measured
};

/// Traffic of the phases known to rank 0. With `measure`, runs the triad for 0.05 s. Collective.
RunTraffic traffic_of_run(const Comm& comm, const Phases& phases, const SolveLog& solves, bool measure);

/// Origin of a run, sufficient to repeat it.
struct RunOrigin {
  std::string command;                 ///< quoted for a shell
  std::string host;                    ///< of rank 0
  std::string started;                 ///< local time, ISO 8601
  std::vector<std::string> overrides;  ///< KEY=VALUE of each --set
};

/// The origin of this process, with the current time.
RunOrigin origin_of_run(std::string command, std::vector<std::string> overrides);

/// Memory of a run: peaks, unless noted.
struct MemoryPeaks {
  std::int64_t host = 0, device = 0;    ///< of the largest rank [bytes]
  double all_devices = 0;               ///< of all ranks together [bytes]
  std::int64_t host_after_set_up = 0;   ///< held, of the largest rank [bytes]
  std::vector<ArraysOf> device_arrays;  ///< those of rank 0 now
};

/// The peaks so far; `host_after_set_up`: of this rank [bytes]. Collective.
MemoryPeaks memory_peaks(const Comm& comm, std::size_t host_after_set_up);

/// The content of summary.json on rank 0; empty on other ranks. Collective.
nlohmann::ordered_json summary_of(const Comm& comm, const RunOrigin& origin, const Case& wanted, const MeshCounts& mesh,
                                  const Placement& placement, const RunReport& run, const SolveLog& solves,
                                  const Phases& phases, const RunTraffic& traffic, const MemoryPeaks& memory);

/// Writes `folder`/summary.json completely or not at all. Collective; rank 0 writes.
void write_summary(const Comm& comm, const OutputFolder& folder, const nlohmann::ordered_json& summary);

}  // namespace solenoid
