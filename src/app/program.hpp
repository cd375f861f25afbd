/// The command line: what was asked for, who does it, and with which exit code it ends.
#pragma once

#include <functional>

#include "base/comm.hpp"

namespace solenoid {

/// Runs `work` on this rank and returns its exit code. An error that all ranks share is printed once, by rank 0; a rank
/// that fails alone prints its error with its rank and ends the others with it. The one place that catches errors.
ExitCode answer_for_errors(const Comm& comm, const std::function<ExitCode()>& work);

/// Runs one command line on all ranks and returns its exit code.
ExitCode run_program(const Comm& comm, int argc, char** argv);

}  // namespace solenoid
