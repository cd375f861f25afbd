/// Fingerprint of the step after a checkpoint: whether a restarted run repeats the original one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "run/checkpoint/run_state.hpp"

namespace solenoid {

/// checkpoint_000500.next beside checkpoint_000500.h5.
struct NextStep {
  int step = 0;
  int ranks = 0;
  std::int64_t fingerprint = 0;  ///< of the state after the step

  /// Its file name next to `checkpoint`.
  static std::filesystem::path file_of(std::filesystem::path checkpoint) {
    return checkpoint.replace_extension("next");
  }
  void write(const std::filesystem::path& file) const;  ///< Serial. Throws Error (exit code 1).
  /// nullopt if the file is missing or unreadable. Serial.
  static std::optional<NextStep> read(const std::filesystem::path& file);
};

/// Fingerprint of all state that the next step depends on. Collective.
std::int64_t fingerprint_of(const Comm& comm, const RunState& state);

/// Message on whether `found` repeats `expected`.
std::string comparison(const NextStep& expected, const NextStep& found);

}  // namespace solenoid
