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
  /// Creates the model at the start of the case in `frame`. `source`: its mesh in the case's own frame, on rank 0 of
  /// `comm`. Keeps a reference to `comm`. Collective; throws like CaseRun.
  ShortRun(const Comm& comm, const Case& wanted, const std::optional<MeshSource>& source, const Frame& frame = {});

  /// Computes `steps` steps of the model's own size, fewer at the end of the case, or the steady state of a case
  /// without time. Collective; throws a collective Error (exit code 1) if the computation fails.
  void advance(int steps);
  /// Computes `steps` steps of size `dt` [s]. Collective; throws likewise.
  void advance(int steps, real dt);
  /// The size of the model's own next step [s]. Collective.
  real next_step() const { return model_->next_step(setup_->time->end); }

  int steps() const { return steps_; }
  Model& model() { return *model_; }
  RunState state() { return {*model_, averages_}; }
  /// The quantities of the model and of its averages, which begin with the run. This must outlive them.
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
