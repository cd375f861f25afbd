/// The command line: parsing, dispatch, exit code.
#pragma once

#include <functional>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// Runs `work` on this rank and returns its exit code. A collective error is printed once, by rank 0; a rank that fails
/// alone prints its error with its rank and aborts the others. The one place that catches errors.
ExitCode answer_for_errors(const Comm& comm, const std::function<ExitCode()>& work);

/// A page generated from the definitions of the command line: "man", or the completion of "bash", "zsh" or "fish".
/// Needs no MPI. Throws Error for others.
std::string page_of_options(const std::string& kind);

/// Runs one command line on all ranks and returns its exit code.
ExitCode run_program(const Comm& comm, int argc, char** argv);

}  // namespace solenoid
