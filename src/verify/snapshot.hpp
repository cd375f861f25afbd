/// All values of a model at one moment, for comparison with another run.
#pragma once

#include <string>
#include <vector>

#include "verify/short_run.hpp"

namespace solenoid {

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
