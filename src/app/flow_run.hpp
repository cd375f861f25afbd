/// The run of a flow: steps from the start to the end, with what is said and written on the way.
#pragma once

#include <filesystem>
#include <optional>

#include "app/case_mesh.hpp"
#include "app/flow_output.hpp"
#include "app/output_times.hpp"
#include "app/run_summary.hpp"

namespace solenoid {

class FlowRun {
 public:
  /// Builds the solver and what the outputs need. Collective. Throws a collective Error where the case does not fit the
  /// mesh.
  FlowRun(const Comm& comm, const Case& wanted, CaseMesh mesh, Phases& phases);

  /// Opens the outputs in `folder`, once nothing more can be wrong with the input. Collective. Throws a collective
  /// Error where a file cannot be written.
  void open(const std::filesystem::path& folder);

  /// Steps to the end of the case or to its steady state. Collective. Throws a collective Error (exit code 1) when the
  /// computation fails.
  RunReport run(Log& log);

  /// Length of the next step [s]: by the flow as it is, and by walls that are about to move. Collective.
  real step_length() const;

  const SolveLog& solves() const { return flow_.solves(); }
  const MeshCounts& mesh_counts() const { return mesh_.counts; }

 private:
  StepRecord advance(real dt);
  bool is_steady(real change) const;

  const Comm& comm_;
  const Case& case_;
  CaseMesh mesh_;
  Phases& phases_;
  StepControl control_;
  OutputTimes output_times_;
  ExactStep flow_;
  FlowOutput output_;
  std::optional<History> history_;  // rank 0
  RunReport report_;
  real rate_ = 0;  // Courant number per second
  Stopwatch since_start_;
};

}  // namespace solenoid
