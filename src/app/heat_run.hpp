/// The run of a case of heat conduction: the steady state, or steps from the start to the end.
#pragma once

#include "app/case_mesh.hpp"
#include "app/heat_output.hpp"
#include "run/case_run.hpp"
#include "run/output_times.hpp"

namespace solenoid {

class HeatRun : public CaseRun {
 public:
  /// Builds the solver and what the outputs need. Collective. Throws a collective Error where the case does not fit the
  /// mesh.
  HeatRun(const Comm& comm, const Case& wanted, CaseMesh mesh, Phases& phases);

  void open(const OutputFolder& folder) override;
  RunReport run(Log& log, const StopRequest& stop) override;
  std::string plan() const override;
  const SolveLog& solves() const override { return heat_.solves(); }
  const MeshCounts& mesh_counts() const override { return mesh_.counts; }

 private:
  void find_steady_state(Log& log);
  void step_to_the_end(Log& log, const StopRequest& stop);
  HeatRecord record_step(real dt);
  void report_outcome(Log& log);
  bool is_over(real time) const;
  std::string heat_unit() const { return mesh_.counts.dimension == 2 ? "W/m" : "W"; }

  const Comm& comm_;
  const Case& case_;
  CaseMesh mesh_;
  Phases& phases_;
  HeatConduction heat_;
  HeatOutput output_;
  std::optional<HeatHistory> history_;  // rank 0
  RunReport report_;
  HeatRecord last_;
  Stopwatch since_start_;
};

}  // namespace solenoid
