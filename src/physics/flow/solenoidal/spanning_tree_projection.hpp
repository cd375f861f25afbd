/// Removal of the last divergence of rounded fluxes along a spanning tree of cells.
#pragma once

#include <optional>
#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/solenoidal/forest_balance.hpp"

namespace solenoid {

/// A breadth-first spanning tree of the cells, rooted outside through the outlets, or at a cell in parts of the domain
/// without outlets. From leaves to root each cell passes the imbalance of its fluxes to its parent, through the face
/// between them: D U is then 0 in bits, for sums of multiples of one grid spacing are exact. Prescribed fluxes stay; in
/// a part without outlets their sum is 0. Each rank has trees of its own cells, connected through faces between ranks.
/// If sums are exact (sums_are_exact()), the trees are those of breadth_first_forest(), so that the result does not
/// depend on the partition either.
class SpanningTreeProjection {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  SpanningTreeProjection(const LocalMesh& mesh, const FlowBoundaries& boundaries, const MemoryOf& = MemoryOf("tree"));

  /// `flux`: multiples of `spacing` [m^3/s], see ForestBalance. Changes are of the size of the sums of D U. Collective.
  void balance(real spacing, Field<Face>& flux) { balance_->balance(spacing, flux); }

  /// Per owned cell, its part of the domain if that has no outlets, else -1.
  std::vector<int> closed_parts() const;

  int parts() const { return static_cast<int>(part_is_closed_.size()); }  ///< of the domain, connected by inner faces
  /// Part of the domain, per owned cell.
  const std::vector<int>& part_of_cells() const { return part_of_cell_; }
  /// Per part of the domain, whether it has no outlets.
  const std::vector<char>& part_is_closed() const { return part_is_closed_; }

 private:
  static constexpr int none = RankForest::none;

  std::vector<int> label_cells(RankForest& forest) const;
  void hang_up(const FlowBoundaries& boundaries, const std::vector<int>& tree_of, RankForest& forest);
  void grow(RankForest& forest) const;

  const LocalMesh& mesh_;
  std::optional<ForestBalance> balance_;
  std::vector<int> part_of_cell_;  // owned
  std::vector<char> part_is_closed_;
};

}  // namespace solenoid
