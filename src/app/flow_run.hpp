/// The run of a flow: steps from the start to the end, with what is said and written on the way.
#pragma once

#include <filesystem>
#include <optional>

#include "app/case_mesh.hpp"
#include "app/flow_output.hpp"
#include "app/run_summary.hpp"

namespace solenoid {

class FlowRun {
 public:
  /// Builds the solver and opens the outputs in `folder`. Collective. Throws a collective Error where the case does not
  /// fit the mesh or a file cannot be written.
  FlowRun(const Comm& comm, const Case& wanted, CaseMesh mesh, const std::filesystem::path& folder, Log& log,
          Phases& phases);

  /// Steps to the end of the case or to its steady state. Collective. Throws a collective Error (exit code 1) when the
  /// computation fails.
  RunReport run();

  const SolveLog& solves() const { return flow_.solves(); }
  const MeshReport& mesh_report() const { return mesh_.report; }

 private:
  StepRecord advance(real target);
  bool is_due(const StepRecord& record, real target) const;
  void say(const StepRecord& record);

  const Comm& comm_;
  const Case& case_;
  CaseMesh mesh_;
  Log& log_;
  Phases& phases_;
  StepControl control_;
  ExactStep flow_;
  FlowOutput output_;
  std::optional<History> history_;  // rank 0
  RunReport report_;
  real rate_ = 0;  // Courant number per second
  Stopwatch since_start_, since_line_;
};

}  // namespace solenoid
