/// Means of cell vectors at nodes and edges.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// Volume-weighted means over the surrounding cells, at some entities of L (Node or Edge).
template <class L>
class MeansAround {
 public:
  MeansAround() = default;  ///< no entities
  /// At owned entities, in any order, duplicates allowed.
  MeansAround(const LocalMesh& mesh, std::vector<int> entities);

  /// Sets `means` [unit of vectors] at these entities. Sums ascend in the cells' global ids.
  void compute(Exchanged<Cell, Vec3> vectors, Field<L, Vec3>& means) const;

 private:
  DeviceArray<int> entity_, offset_, cell_;  // entities; start of the cells of each; cells
};

extern template class MeansAround<Node>;
extern template class MeansAround<Edge>;
using NodeMeans = MeansAround<Node>;

}  // namespace solenoid
