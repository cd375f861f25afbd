/// The state of a run in a checkpoint, all that the next step and the final figures depend on, and the proof that a
/// restarted run repeats that step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "model/model.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/tracers.hpp"

namespace solenoid {

struct RunState {
  Model& model;
  Averages& averages;
  Tracers* tracers = nullptr;  ///< null: none
  std::span<const Observer> observers{};

  /// Visits the whole state. After a visitor that overwrites it, restored() recomputes the derived data.
  void visit(StateVisitor& visitor) const {
    model.visit_state(visitor);
    averages.visit_state(visitor);
    if (tracers) tracers->visit_state(visitor);
    for (const Observer& observer : observers) observer.sink->visit_state(visitor);
  }
  void restored() const {
    model.state_restored();
    if (tracers) tracers->restored();
  }
};

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
