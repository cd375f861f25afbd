/// report.html: the run on one page.
#pragma once

#include <nlohmann/json.hpp>

#include "base/output_folder.hpp"
#include "case/case_file.hpp"
#include "run/loop/case_run.hpp"

namespace solenoid {

/// Writes report.html into `folder`, completely or not at all, from `summary` (rank 0: the whole of summary.json), the
/// tables of the folder and the current fields. Logs the time it took, or the reason of a failure: no run fails for its
/// report. Collective.
void write_report(const Comm& comm, const OutputFolder& folder, const Case& wanted, CaseRun& run,
                  const RunReport& ended, const nlohmann::ordered_json& summary, Log& log);

}  // namespace solenoid
