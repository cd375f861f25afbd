/// The run of a case, whatever its physics: steps from start to end, or the steady state at once, with messages and
/// outputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "case/case_file.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/loop/run_progress.hpp"
#include "run/loop/run_requests.hpp"
#include "run/mesh/case_mesh.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/tracers.hpp"
#include "run/result/run_summary.hpp"

namespace solenoid {

class CaseRun {
 public:
  /// Creates the model and its observers. Keeps references to its arguments, which must outlive it. Collective. Throws
  /// a collective Error (exit code 2) if the case does not fit the mesh.
  CaseRun(const Comm& comm, Case& wanted, CaseMesh mesh, Phases& phases);

  /// Restarts from `checkpoint` instead of the initial state; call it before open(). Collective. Throws a collective
  /// Error (exit code 2) if the checkpoint is of another mesh or physics, or already at the end of the case.
  void go_on_from(CheckpointReader& checkpoint, const OutputList::Say& say);

  /// Checks that the run can continue the tables in `folder`; changes nothing. Collective. Throws a collective Error
  /// (exit code 2) if not.
  void require_same_tables(const std::filesystem::path& folder) const;

  /// Opens the outputs in `folder`, after all checks of the input. Collective. Throws a collective Error if a file
  /// cannot be written.
  void open(const OutputFolder& folder);

  /// Runs to the end of the case, to its steady state, or to the end of the step in which a stop is requested.
  /// Collective. Throws a collective Error (exit code 1) if the computation fails, after writing the last good fields.
  RunReport run(Log& log, const StopRequest& stop);

  /// The report of a run() that `error` ended.
  RunReport failed(const Error& error) const;

  /// Planned steps or solve of run(), one line for the log. Collective.
  std::string plan() const;

  /// The quantities of these words of `fields`; after a failed run(), without those that need a linear solve.
  std::vector<Quantity> fields(const std::vector<std::string>& words) const;

  /// The origin of the initial state, if it is an earlier run, as lines for the log. Collective.
  std::vector<std::string> origin() const { return model_->origin(); }
  /// Averages go on from an earlier run whose clock goes on. Call before run(), not after a restart. Collective.
  void go_on_with_averages(const OutputList::Say& say);

  const SolveLog& solves() const { return model_->solves(); }
  const MeshCounts& mesh_counts() const { return mesh_.counts; }
  const LocalMesh& mesh() const { return *mesh_.local; }

 private:
  void solve_at_once(Log& log);
  void step_to_the_end(Log& log, const StopRequest& stop);
  real take_step();
  std::optional<std::string> diagnose_step();
  void save(double wall_seconds, bool is_asked);
  void sample();
  void carry(const std::function<void()>& work);
  void write_last_state(Log& log);
  void write_due(int step);
  void write_at_end(int step);
  void write(const Observer& observer, int step);
  real next_output(real time) const;
  bool is_over(real time) const;
  bool is_steady(real change) const;
  void apply_request(const RunRequest& request, Log& log);
  void report(Log& log, const std::string& ended);

  const Comm& comm_;
  Case& case_;  // a control file may change its times
  CaseMesh mesh_;
  Phases& phases_;
  std::unique_ptr<Model> model_;
  Averages averages_;
  Tracers tracers_;
  std::vector<Observer> observers_;
  Checkpoints checkpoints_;
  std::optional<History> history_;  // rank 0
  RunReport report_;
  OutputFolder folder_;
  bool goes_on_ = false;
  int last_written_ = 0;  // step of the last fields
  Stopwatch since_start_;
  double wall_before_ = 0;  // [s] of the runs before the restart
};

}  // namespace solenoid
