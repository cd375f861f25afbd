/// All values of a model at one moment, for comparison with another run.
#pragma once

#include <string>
#include <vector>

#include "verify/short_run.hpp"

namespace solenoid {

/// What a rank owns of it.
struct Snapshot {
  /// An array or a number of the state, without a unit, or a figure of the history.
  struct Values {
    std::string name, unit;
    std::vector<real> values;
  };
  /// A quantity that can be looked at, and where.
  struct Shown {
    QuantityInfo info;
    std::vector<Vec3> places;  ///< of nodes, of the middles of cells and of boundary faces, in the frame before
    std::vector<real> values;  ///< info.components for each
  };
  Frame frame;
  std::vector<Values> state;    ///< integers as reals
  std::vector<Values> figures;  ///< the same on every rank
  std::vector<Shown> shown;
};

/// Of the run as it is now: the state first, for looking at quantities leaves first guesses behind. Collective; throws
/// as the quantities do.
Snapshot snapshot_of(ShortRun& run);
/// The first of its quantities alone, which tells how far the run is: velocity, temperature, displacement. Collective.
Snapshot::Shown main_quantity(ShortRun& run);

/// How far two snapshots are apart.
struct Difference {
  double largest = 0;  ///< of what was compared
  std::string of;      ///< the name of what that is
};

/// Of runs on the same ranks whose frames differ by units alone: how many values differ in any bit once they are in
/// the same units, and the first array or figure that has one. What has no unit may differ by one power of two.
/// Collective.
Difference count_of_different_bits(const Comm& comm, const Snapshot& a, const Snapshot& b);

/// Of any two runs of one case: the largest difference of quantities at the same place and of figures, both as they
/// were before their frames, relative to the largest value of their unit in `b`, or to what the
/// largest speed makes of it in the extent of the mesh. Signs and constants that a mirror or
/// the numbering of the mesh chooses do not count, nor do figures without a unit. `a` and `b` may be on other ranks
/// of `comm`: on rank 0 alone `b` is that of a run of its own. Collective; throws a collective Error (exit code 1)
/// where the places are not the same.
Difference relative_difference(const Comm& comm, const Snapshot& a, const Snapshot& b, bool b_is_on_root);

/// The root of the mean square difference of values of one quantity in two runs on the same ranks. Collective.
real distance(const Comm& comm, const Snapshot::Shown& a, const Snapshot::Shown& b);

}  // namespace solenoid
