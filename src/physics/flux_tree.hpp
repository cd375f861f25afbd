/// The last of the divergence, taken out of quantised fluxes along a tree of cells.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow_boundary.hpp"

namespace solenoid {

/// A spanning tree of the cells, breadth-first, rooted outside through the outlets, or at a cell where a part of the
/// domain has none. From its leaves to its root each cell hands what its fluxes do not balance to the cell before it,
/// through the face between them: then D U is 0 in bits, for sums of multiples of one quantum are exact. Where fluxes
/// are given they stay; in a part without outlets their sum is 0. Each rank has trees of its own cells, hung into each
/// other through faces between ranks; how those hang is known on all ranks.
class FluxTree {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  FluxTree(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// `flux`: multiples of one quantum. What it changes is of the size of the sums of D U. On the host, in one pass over
  /// the cells. Collective.
  void balance(Field<Face>& flux);

  /// Per owned cell the part of the domain that it is in where that has no outlets, else -1.
  std::vector<int> closed_parts() const;

  int parts() const { return static_cast<int>(part_is_closed_.size()); }  ///< of the domain, by faces inside
  /// Per owned cell.
  std::vector<int> part_of_cells() const;
  /// Per part of the domain, whether it has no outlets.
  const std::vector<char>& part_is_closed() const { return part_is_closed_; }

 private:
  /// The way from a cell to the one before it.
  struct Step {
    int cell, face, before;  // local; `before` is -1 where another rank's tree or the outside is
    real sign;               // +1 where the face's normal leaves the cell
    bool is_owned;           // the face, by this rank
  };
  /// What another tree, which hangs into an own one, hands on.
  struct Arrival {
    int from;   // tree
    Step step;  // its last one, `before` the own cell where it arrives
  };
  std::vector<int> label_cells();
  void hang_up(const FlowBoundaries& boundaries, const std::vector<int>& tree_of);
  void grow();
  std::vector<real> sums_of_trees(const std::vector<real>& left);

  const LocalMesh& mesh_;
  Field<Cell> divergence_;
  int first_tree_ = 0, own_trees_ = 0;
  std::vector<int> before_;      // of all ranks' trees, the one each hangs into, -1 none
  std::vector<char> leads_out_;  // of all trees, whether one ends outside itself
  std::vector<int> from_roots_;  // all trees, each behind the one it hangs into
  std::vector<int> part_of_tree_;
  std::vector<char> part_is_closed_;
  std::vector<int> tree_of_;  // per owned cell
  std::vector<Step> roots_;   // of each own tree: its way out; face -1 where there is none
  std::vector<Arrival> arrivals_;
  std::vector<Step> steps_;  // from roots to leaves, without the roots
};

}  // namespace solenoid
