/// The folder that a run leaves its results in: made anew, and never at the cost of somebody else's files.
#pragma once

#include <filesystem>

namespace solenoid {

/// Makes `folder` ready for a new run: creates it, or clears it of what an earlier run of Solenoid left in it. Throws
/// Error (exit code 2) where it holds files that Solenoid did not make. Serial: rank 0.
void prepare_result_folder(const std::filesystem::path& folder);

/// Throws Error (exit code 2) unless `folder` is absent, empty, or made by Solenoid. Serial: rank 0.
void require_replaceable(const std::filesystem::path& folder);

}  // namespace solenoid
