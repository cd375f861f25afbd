/// Short runs of a case, and all values of a model at one moment for comparison with another run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/frame.hpp"
#include "run/checkpoint/run_state.hpp"
#include "run/mesh/case_mesh.hpp"

namespace solenoid {

/// A few steps of a case without outputs, in any frame.
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

/// The values owned by a rank.
struct Snapshot {
  /// An array or a number of the state, without a unit, or a figure of the history.
  struct Values {
    std::string name, unit;
    std::vector<real> values;
  };
  /// An output quantity and its places.
  struct Shown {
    QuantityInfo info;
    std::vector<Vec3> places;  ///< of nodes, or of the centroids of cells or boundary faces, in the case's own frame
    std::vector<real> values;  ///< info.components per place
  };
  Frame frame;
  std::vector<Values> state;    ///< integers as reals
  std::vector<Values> figures;  ///< the same on every rank
  std::vector<Shown> shown;
};

/// Snapshot of the current state of the run. The state comes first: evaluating quantities changes first guesses.
/// Collective; throws like the quantities.
Snapshot snapshot_of(ShortRun& run);
/// Its first quantity alone, which measures the progress of the run: velocity, temperature, displacement. Collective.
Snapshot::Shown main_quantity(ShortRun& run);

/// Difference of two snapshots.
struct Difference {
  double largest = 0;  ///< largest difference, or number of different values
  std::string of;      ///< name of the value
};

/// For runs on the same ranks in frames that differ by units alone: how many values differ in any bit once converted to
/// the same units, and the name of the first array or figure with one. Values without a unit may differ by one power of
/// two. Collective.
Difference count_of_different_bits(const Comm& comm, const Snapshot& a, const Snapshot& b);

/// For any two runs of one case: the largest difference of quantities at the same place and of figures, both in the
/// case's own frame, relative to the largest value of their unit in `b`, or to the scale from the largest speed and the
/// extent of the mesh. Signs and constants that a mirror or the numbering of the mesh chooses do not count, nor do
/// figures without a unit. `b` may be on other ranks than `a`: with `b_is_on_root`, it is that of a separate run on
/// rank 0. Collective; throws a collective Error (exit code 1) if the places differ.
Difference relative_difference(const Comm& comm, const Snapshot& a, const Snapshot& b, bool b_is_on_root);

/// Root-mean-square difference of one quantity in two runs on the same ranks. Collective.
real distance(const Comm& comm, const Snapshot::Shown& a, const Snapshot::Shown& b);

}  // namespace solenoid
