/// The run of a flow: steps from the start to the end, with what is said and written on the way.
#pragma once

#include <optional>

#include "app/case_mesh.hpp"
#include "app/flow_output.hpp"
#include "run/case_run.hpp"
#include "run/output_times.hpp"

namespace solenoid {

class FlowRun : public CaseRun {
 public:
  /// Builds the solver and what the outputs need. Collective. Throws a collective Error where the case does not fit the
  /// mesh.
  FlowRun(const Comm& comm, const Case& wanted, CaseMesh mesh, Phases& phases);

  void open(const OutputFolder& folder) override;

  RunReport run(Log& log, const StopRequest& stop) override;

  std::string plan() const override;
  const SolveLog& solves() const override { return flow_.solves(); }
  const MeshCounts& mesh_counts() const override { return mesh_.counts; }

 private:
  /// Length of the next step [s]: by the flow as it is, and by walls that are about to move. Collective.
  real step_length() const;
  StepRecord advance(real dt);
  StepRecord advance_or_show(real dt, Log& log);
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
  real max_divergence_ = 0;  // largest over the run
  real rate_ = 0;            // Courant number per second, as it is expected in the next step
  real rate_of_flow_ = 0;    // the same after the last step
  int last_written_ = 0;     // step
  Stopwatch since_start_;
};

}  // namespace solenoid
