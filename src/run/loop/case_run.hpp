/// The run of a case, whatever its physics: steps from start to end, or the steady state at once, with messages and
/// outputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "base/stop_request.hpp"
#include "case/case_file.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/loop/history.hpp"
#include "run/loop/run_requests.hpp"
#include "run/mesh/case_mesh.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/tracers.hpp"
#include "run/result/run_report.hpp"

namespace solenoid {

class CaseRun {
 public:
  /// Makes the model and what looks at it. Refers to its arguments, which outlive it. Collective. Throws a collective
  /// Error (exit code 2) where the case does not fit the mesh.
  CaseRun(const Comm& comm, Case& wanted, CaseMesh mesh, Phases& phases);

  /// Goes on from there instead of from the start, before open(). Collective. Throws a collective Error (exit code 2)
  /// where the checkpoint is of another mesh or physics, or at the end of the case already.
  void go_on_from(CheckpointReader& checkpoint, const OutputList::Say& say);

  /// Whether the run can go on with the tables that are in `folder`: changes nothing. Collective. Throws a collective
  /// Error (exit code 2) where it cannot.
  void require_same_tables(const std::filesystem::path& folder) const;

  /// Opens the outputs in `folder`, once nothing more can be wrong with the input. Collective. Throws a collective
  /// Error where a file cannot be written.
  void open(const OutputFolder& folder);

  /// Computes to the end of the case or to its steady state, or to the end of the step in which it is asked to stop.
  /// Collective. Throws a collective Error (exit code 1) when the computation fails; the last good fields are written
  /// then.
  RunReport run(Log& log, const StopRequest& stop);

  /// How it went to where `error` ended run().
  RunReport failed(const Error& error) const;

  /// What run() is going to do, in a line for the log. Collective.
  std::string plan() const;

  /// The fields of the case; without those that take a solve where run() failed.
  std::vector<Quantity> fields() const;

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
  Case& case_;  // its times change where that is asked for
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
  double wall_before_ = 0;  // [s] of the runs that this one goes on from
};

}  // namespace solenoid
