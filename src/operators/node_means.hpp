/// Means of cell vectors at nodes and edges.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// At some entities of L, Node or Edge, the mean over the cells around, weighted with their volumes.
template <class L>
class MeansAround {
 public:
  MeansAround() = default;  ///< at none
  /// Of owned ones, in any order, some more than once.
  MeansAround(const LocalMesh& mesh, std::vector<int> entities);

  /// Sets `means` [unit of vectors] there. Sums ascend in the cells' global ids.
  void compute(Exchanged<Cell, Vec3> vectors, Field<L, Vec3>& means) const;

 private:
  DeviceArray<int> entity_, offset_, cell_;  // entities; where the cells of each begin; cells
};

extern template class MeansAround<Node>;
extern template class MeansAround<Edge>;
using NodeMeans = MeansAround<Node>;

}  // namespace solenoid
