/// Collection of all faults of an input, not only the first.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

/// Calls work() and adds its bad-input Error to `faults`. Other errors propagate.
template <class Work>
void attempt(std::vector<std::string>& faults, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_input) throw;
    faults.push_back(error.what());
  }
}

}  // namespace solenoid
