/// summary.json: everything a script needs to know of a run.
#pragma once

#include <string>

#include "app/case_run.hpp"
#include "base/phases.hpp"
#include "io/case_file.hpp"
#include "parallel/device.hpp"

namespace solenoid {

/// Writes `folder`/summary.json whole or not at all. Collective; rank 0 writes.
void write_summary(const Comm& comm, const OutputFolder& folder, const Case& wanted, const MeshCounts& mesh,
                   const Device& device, const RunReport& run, const SolveLog& solves, const Phases& phases);

}  // namespace solenoid
