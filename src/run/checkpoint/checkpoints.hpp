/// Checkpoints of a run: schedule, location, and restart.
#pragma once

#include "base/output_folder.hpp"
#include "case/case_file.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "run/checkpoint/run_state.hpp"
#include "run/mesh/case_mesh.hpp"

namespace solenoid {

/// The files checkpoint_000500.h5 etc. in a result folder. All functions are collective.
class Checkpoints {
 public:
  /// Keeps references to its arguments, which must outlive it.
  Checkpoints(const Case& wanted, const CaseMesh& mesh, const RunState& state);

  /// Writes into `folder` from now on, and removes its checkpoints beyond the step of a restart. `wall_seconds`: since
  /// the run began.
  void open(const OutputFolder& folder, double wall_seconds);

  /// After a step; `wall_seconds`: since the run began.
  bool is_due(int step, real time, double wall_seconds) const;
  /// Writes the state, completely or not at all, and removes the oldest checkpoints beyond `keep`; returns the file
  /// name. Throws a collective Error (exit code 1) with the name and the reason.
  std::string write(int step, real time, double wall_seconds);

  /// Call right after a step. Records the fingerprint of the step after a checkpoint; for the first step after a
  /// restart, returns a message on whether it repeats the original one.
  std::optional<std::string> diagnose_step(int step);
  /// The first step is expected to repeat the one after the checkpoint `file`.
  void expect_as_after(const std::filesystem::path& file);

 private:
  const Comm& comm() const { return mesh_.local->comm(); }

  const Case& case_;
  const CaseMesh& mesh_;
  RunState state_;
  std::int64_t fingerprint_;  // of the mesh
  OutputFolder folder_;
  double last_time_ = 0, last_wall_ = 0;
  int last_step_ = -1;                // of the last checkpoint of this run
  std::optional<NextStep> expected_;  // on rank 0
  int expected_step_ = -1;
};

/// The newest complete checkpoint in `folder`; null if there is none. Reports skipped incomplete ones and the reasons
/// to `say`. Collective; throws a collective Error (exit code 2) if all of them are broken.
std::unique_ptr<CheckpointReader> newest_checkpoint(const Comm& comm, const std::filesystem::path& folder,
                                                    const OutputList::Say& say);

/// Restores the state of the run from `checkpoint`. Reports to `say` the changes of the case, the state missing from
/// the checkpoint, which keeps its initial values, and unused state. Returns whether the next step should repeat the
/// original one. Collective; throws a collective Error (exit code 2) if the numbering of the mesh or the physics
/// differs.
bool restore(CheckpointReader& checkpoint, const Case& wanted, const LocalMesh& mesh, const RunState& state,
             const OutputList::Say& say);

}  // namespace solenoid
