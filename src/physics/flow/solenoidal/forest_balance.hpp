/// Removal of the divergence of fluxes along trees of cells, by running sums on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "field/field.hpp"
#include "physics/flow/solenoidal/rank_forest.hpp"

namespace solenoid {

/// Each cell passes what flows out of it, and out of the cells that hang below it, to its parent. In depth-first order
/// all that hangs below a cell follows it without a gap, so that what it passes on is a difference of two running sums.
/// They are of whole numbers of grid spacings and wrap around; differences are exact.
class ForestBalance {
 public:
  /// Refers to `mesh`, which must outlive it.
  ForestBalance(const LocalMesh& mesh, const RankForest& forest);

  /// D U = 0 in bits, but for roots without a way out. `spacing` [m^3/s]: all fluxes are multiples of it, and what a
  /// cell passes on is less than 2^63 of it; it is exact up to 2^53 (in single precision 2^24), as fluxes are. Fluxes
  /// that are not finite stay, and pass nothing on. On one rank nothing is copied to the host; several pass one number
  /// per tree. Collective.
  void balance(real spacing, Field<Face>& flux);

 private:
  std::vector<std::uint64_t> sums_of_arrivals();

  const LocalMesh& mesh_;
  DeviceArray<int> place_, end_;      // per owned cell: its place in depth-first order, and where its subtree ends
  DeviceArray<int> way_out_;          // per owned cell: see way_out() in the source file
  DeviceArray<std::uint64_t> sums_;   // per place, and at the end
  DeviceArray<int> begin_of_tree_;    // per own tree: the place of its root; and the end
  DeviceArray<int> arrivals_before_;  // per place, and at the end: arrivals in the cells before it
  DeviceArray<int> way_of_arrival_;   // in the order of the receiving cells' places
  DeviceArray<std::uint64_t> sums_of_trees_, sums_of_arrivals_;
  std::vector<int> arrives_from_;  // tree
  int first_;                      // these as in RankForest
  std::vector<int> before_, from_roots_;
};

}  // namespace solenoid
