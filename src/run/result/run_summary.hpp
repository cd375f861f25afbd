/// summary.json: all figures of a run, for scripts.
#pragma once

#include <string>
#include <vector>

#include "base/output_folder.hpp"
#include "base/phases.hpp"
#include "case/case_file.hpp"
#include "parallel/placement.hpp"
#include "run/mesh/mesh_counts.hpp"
#include "run/result/run_report.hpp"
#include "run/result/run_traffic.hpp"

namespace solenoid {

/// Origin of a run, sufficient to repeat it.
struct RunOrigin {
  std::string command;                 ///< quoted for a shell
  std::string host;                    ///< of rank 0
  std::string started;                 ///< local time, ISO 8601
  std::vector<std::string> overrides;  ///< KEY=VALUE of each --set
};

/// The origin of this process, with the current time.
RunOrigin origin_of_run(std::string command, std::vector<std::string> overrides);

/// Peak memory of a run.
struct MemoryPeaks {
  std::int64_t host = 0, device = 0;  ///< of the largest rank [bytes]
  double all_devices = 0;             ///< of all ranks together [bytes]
};

/// The peaks so far. Collective.
MemoryPeaks memory_peaks(const Comm& comm);

/// The content of summary.json on rank 0; empty on other ranks. Collective.
nlohmann::ordered_json summary_of(const Comm& comm, const RunOrigin& origin, const Case& wanted, const MeshCounts& mesh,
                                  const Placement& placement, const RunReport& run, const SolveLog& solves,
                                  const Phases& phases, const RunTraffic& traffic, const MemoryPeaks& memory);

/// Writes `folder`/summary.json completely or not at all. Collective; rank 0 writes.
void write_summary(const Comm& comm, const OutputFolder& folder, const nlohmann::ordered_json& summary);

}  // namespace solenoid
