/// Version, build options and platform of this program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// The git commit of the build; "unknown" outside a checkout.
std::string git_commit();

/// The date of that commit, "2026-11-25"; empty outside a checkout.
std::string commit_date();

/// The lines of `solenoid --version`.
std::string version_text(const Comm& comm);

/// The same for summary.json: version, commit, backend, processors, precision, mpi, gpu_aware_mpi, hypre (null: none).
nlohmann::ordered_json version_summary();

}  // namespace solenoid
