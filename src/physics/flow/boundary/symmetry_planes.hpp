/// Projection of vectors onto planes of symmetry.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Places in mesh.boundary() by the faces' global ids: sums are then the same on any partition.
std::vector<int> in_order_of_faces(const LocalMesh& mesh);

/// At some entities of L, Node or Edge, the planes of symmetry that they are on.
template <class L>
class SymmetryPlanes {
 public:
  SymmetryPlanes() = default;  ///< at none
  /// Of owned entities.
  SymmetryPlanes(const LocalMesh& mesh, const FlowBoundaries& boundaries, const std::vector<int>& entities);

  /// Leaves of `vectors` there what is along all these planes.
  void remove_normal(Field<L, Vec3>& vectors) const;

 private:
  DeviceArray<int> entity_;
  DeviceArray<Vec3> normals_;  // three of each, orthonormal; zero where it has fewer
};

extern template class SymmetryPlanes<Edge>;

}  // namespace solenoid
