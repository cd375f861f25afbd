/// A few steps of a case without outputs, in any frame, for comparisons.
#pragma once

#include <memory>
#include <optional>

#include "model/frame.hpp"
#include "run/checkpoint/run_state.hpp"
#include "run/mesh/case_mesh.hpp"

namespace solenoid {

class ShortRun {
 public:
  /// Makes the model at the start of the case as `frame` shows it. `source`: its mesh as it is, on rank 0 of `comm`.
  /// Refers to `comm`. Collective; throws as CaseRun does.
  ShortRun(const Comm& comm, const Case& wanted, const std::optional<MeshSource>& source, const Frame& frame = {});

  /// Takes so many steps of the model's own length, fewer at the end of the case, or finds the steady state where the
  /// case has no time. Collective; throws a collective Error (exit code 1) when the computation fails.
  void advance(int steps);
  /// Takes so many steps of this length [s]. Collective; throws in the same way.
  void advance(int steps, real dt);
  /// What the next of the model's own steps is long [s]. Collective.
  real next_step() const { return model_->next_step(setup_->time->end); }

  int steps() const { return steps_; }
  Model& model() { return *model_; }
  RunState state() { return {*model_, averages_}; }
  /// Those of the model, and its averages, which begin with the run. This outlives them.
  std::vector<Quantity> quantities() const;
  const CaseMesh& mesh() const { return mesh_; }
  const Frame& frame() const { return frame_; }

 private:
  Frame frame_;
  std::unique_ptr<const ModelSetup> setup_;
  CaseMesh mesh_;
  std::unique_ptr<Model> model_;
  Averages averages_;
  int steps_ = 0;
};

}  // namespace solenoid
