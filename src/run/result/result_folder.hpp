/// The folder of a run: never someone else's files, never two runs at once, no outputs beyond the time of a restart.
#pragma once

#include <filesystem>

#include "base/output_folder.hpp"

namespace solenoid {

/// Throws Error (exit code 2) unless `folder` is, or can become, a result folder: absent, empty, or made by Solenoid.
/// Serial: rank 0.
void require_replaceable(const std::filesystem::path& folder);
/// The same for the folder of a restart, regardless of its other content. Serial: rank 0.
void require_writable(const std::filesystem::path& folder);

/// Locks `folder` for the results of this process, until the last copy of the returned handle is destroyed. Creates it,
/// or removes the results of an earlier run, and nothing else, and reports them to `say`. Serial: rank 0. Throws Error:
/// exit code 2 like require_replaceable, or if another run writes there; 1 if the file system fails.
OutputFolder claim_result_folder(const std::filesystem::path& folder, const OutputList::Say& say);

/// The same for a run that restarts at `moment` of the one with results there: they stay. Without a list, files with
/// the names of results count as results, and `say` reports it. Throws like require_writable.
OutputFolder reopen_result_folder(const std::filesystem::path& folder, const RunMoment& moment,
                                  const OutputList::Say& say);

/// Removes from `folder` the listed outputs beyond the restart moment, in step or in time, including those of observers
/// that this run lacks, and reports them to `say`. Cuts the tables of such observers. The remaining files belong to the
/// history of the restarted run. Serial: rank 0, after the run has opened its series and tables. Throws Error (exit
/// code 1).
void remove_later_outputs(const OutputFolder& folder, const OutputList::Say& say);

}  // namespace solenoid
