/// The folder of a run: never someone else's files, never two runs at once.
#pragma once

#include <filesystem>

#include "base/output_folder.hpp"

namespace solenoid {

/// Throws Error (exit code 2) unless `folder` is, or can become, a folder of results: absent, empty, or made by
/// Solenoid. Serial: rank 0.
void require_replaceable(const std::filesystem::path& folder);
/// The same of one with the checkpoint that a run goes on from, whatever else is there. Serial: rank 0.
void require_writable(const std::filesystem::path& folder);

/// Takes `folder` for the results of this process, until the last copy of what is returned is gone: makes it, or
/// removes what an earlier run left there, and nothing else, and tells `say` what that was. Serial: rank 0. Throws
/// Error: exit code 2 as require_replaceable does, or where another run writes there; 1 where the disk refuses.
OutputFolder claim_result_folder(const std::filesystem::path& folder, const OutputList::Say& say);

/// The same for a run that goes on from `moment` of the one whose results are there: they stay. Where there is no list
/// of them, what has the names of results is taken for them, and `say` is told. Throws as require_writable() does.
OutputFolder reopen_result_folder(const std::filesystem::path& folder, const RunMoment& moment,
                                  const OutputList::Say& say);

}  // namespace solenoid
