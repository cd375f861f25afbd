/// Removal of the last divergence of rounded fluxes along a spanning tree of cells.
#pragma once

#include <optional>
#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/solenoidal/rank_forest.hpp"

namespace solenoid {

/// A spanning tree of the cells, breadth-first, rooted outside through the outlets, or at a cell where a part of the
/// domain has none. From its leaves to its root each cell hands what its fluxes do not balance to the cell before it,
/// through the face between them: then D U is 0 in bits, for sums of multiples of one grid spacing are exact. Where
/// fluxes are given they stay; in a part without outlets their sum is 0. Each rank has trees of its own cells, hung
/// into each other through faces between ranks; where sums are exact, the trees are those of breadth_first_forest(), so
/// that what is handed where does not depend on the partition either.
class SpanningTreeProjection {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  SpanningTreeProjection(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// `flux`: multiples of one grid spacing. What it changes is of the size of the sums of D U. On the host, in one pass
  /// over the cells. Collective.
  void balance(Field<Face>& flux);

  /// Per owned cell the part of the domain that it is in where that has no outlets, else -1.
  std::vector<int> closed_parts() const;

  int parts() const { return static_cast<int>(part_is_closed_.size()); }  ///< of the domain, by faces inside
  /// Per owned cell.
  std::vector<int> part_of_cells() const;
  /// Per part of the domain, whether it has no outlets.
  const std::vector<char>& part_is_closed() const { return part_is_closed_; }

 private:
  std::vector<int> label_cells();
  void hang_up(const FlowBoundaries& boundaries, const std::vector<int>& tree_of);
  void grow();

  const LocalMesh& mesh_;
  Field<Cell> divergence_;
  RankForest of_ranks_;  // with the steps inside only where these balance
  std::optional<RankForest> by_distance_;
  std::vector<char> leads_out_;  // of all ranks' trees, whether one ends outside itself
  std::vector<int> part_of_tree_;
  std::vector<char> part_is_closed_;
};

}  // namespace solenoid
