/// Checkpoints of a run: schedule, location, and restart.
#pragma once

#include "base/output_folder.hpp"
#include "case/case_file.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "run/checkpoint/next_step.hpp"
#include "run/checkpoint/run_state.hpp"
#include "run/mesh/case_mesh.hpp"

namespace solenoid {

/// checkpoint_000500.h5 and others in a result folder. Everything is collective.
class Checkpoints {
 public:
  /// Refers to its arguments, which outlive it.
  Checkpoints(const Case& wanted, const CaseMesh& mesh, const RunState& state);

  /// Writes into `folder` from here on, so many seconds after the run began; checkpoints of later steps go there.
  void open(const OutputFolder& folder, double wall_seconds);

  /// After a step, so many seconds after the run began.
  bool is_due(int step, real time, double wall_seconds) const;
  /// Writes the state, whole or not at all, and removes those that are no longer kept; returns the name of the file.
  /// Throws a collective Error (exit code 1) that names it and the reason.
  std::string write(int step, real time, double wall_seconds);

  /// Right after a step: notes it where it is the one after a checkpoint; where it is the first one since restore(),
  /// says whether it is what it was before.
  std::optional<std::string> diagnose_step(int step);
  /// The first step is going to be like the one after the checkpoint `file`.
  void expect_as_after(const std::filesystem::path& file);

 private:
  const Comm& comm() const { return mesh_.local->comm(); }

  const Case& case_;
  const CaseMesh& mesh_;
  RunState state_;
  std::int64_t fingerprint_;  // of the mesh
  OutputFolder folder_;
  double last_time_ = 0, last_wall_ = 0;
  int last_step_ = -1;                // with a checkpoint of this run
  std::optional<NextStep> expected_;  // on rank 0
  int expected_step_ = -1;
};

/// Of points, cells, regions and patches. Collective.
std::int64_t fingerprint_of(const LocalMesh& mesh);

/// The newest whole checkpoint in `folder`; nothing where there is none. `say` is told which are not whole, and why.
/// Collective; throws a collective Error (exit code 2) where all of them are broken.
std::unique_ptr<CheckpointReader> newest_checkpoint(const Comm& comm, const std::filesystem::path& folder,
                                                    const OutputList::Say& say);

/// Lays the state in `checkpoint` over that of the run. `say` is told what the case says otherwise, and which parts of
/// the state keep their first values. Returns whether the next step is what it was. Collective; throws a collective
/// Error (exit code 2) where its entities are not those of the mesh, or its physics is not that of the case.
bool restore(CheckpointReader& checkpoint, const Case& wanted, const LocalMesh& mesh, const RunState& state,
             const OutputList::Say& say);

}  // namespace solenoid
