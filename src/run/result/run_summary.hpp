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

/// Where a run comes from: so that a result tells how to make it again.
struct RunOrigin {
  std::string command;                 ///< as a shell takes it
  std::string host;                    ///< of rank 0
  std::string started;                 ///< local time, ISO 8601
  std::vector<std::string> overrides;  ///< KEY=VALUE of each --set
};

/// Of this process, now.
RunOrigin origin_of_run(std::string command, std::vector<std::string> overrides);

/// The most memory that a run held.
struct MemoryPeaks {
  std::int64_t host = 0, device = 0;  ///< of the largest rank [bytes]
  double all_devices = 0;             ///< of all ranks together [bytes]
};

/// So far. Collective.
MemoryPeaks memory_peaks(const Comm& comm);

/// All that summary.json has; rank 0 alone knows it, elsewhere it is empty. Collective.
nlohmann::ordered_json summary_of(const Comm& comm, const RunOrigin& origin, const Case& wanted, const MeshCounts& mesh,
                                  const Placement& placement, const RunReport& run, const SolveLog& solves,
                                  const Phases& phases, const RunTraffic& traffic, const MemoryPeaks& memory);

/// Writes `folder`/summary.json whole or not at all. Collective; rank 0 writes.
void write_summary(const Comm& comm, const OutputFolder& folder, const nlohmann::ordered_json& summary);

}  // namespace solenoid
