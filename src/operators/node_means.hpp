/// Vectors at nodes from those of the cells around them.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// At some nodes the mean over the cells around, weighted with their volumes.
class NodeMeans {
 public:
  NodeMeans() = default;  ///< at no node
  /// Of owned nodes, in any order, some more than once.
  NodeMeans(const LocalMesh& mesh, std::vector<int> nodes);

  /// Sets `means` [unit of vectors] at these nodes. Sums ascend in the cells' global ids.
  void find(Exchanged<Cell, Vec3> vectors, Field<Node, Vec3>& means) const;

 private:
  DeviceArray<int> node_, offset_, cell_;  // nodes; where the cells of each begin; cells
};

}  // namespace solenoid
