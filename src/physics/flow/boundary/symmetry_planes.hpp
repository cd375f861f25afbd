/// Projection of vectors onto planes of symmetry.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Places in mesh.boundary(), sorted by the faces' global ids, so that sums are the same on any partition.
std::vector<int> in_order_of_faces(const LocalMesh& mesh);

/// The planes of symmetry through each of some entities of L, Node or Edge.
template <class L>
class SymmetryPlanes {
 public:
  SymmetryPlanes() = default;  ///< of no entities
  /// For owned entities.
  SymmetryPlanes(const LocalMesh& mesh, const FlowBoundaries& boundaries, const std::vector<int>& entities);

  /// Projects `vectors` at these entities onto all their planes.
  void remove_normal(Field<L, Vec3>& vectors) const;

 private:
  DeviceArray<int> entity_;
  DeviceArray<Vec3> normals_;  // three for each, orthonormal; zero for missing ones
};

extern template class SymmetryPlanes<Edge>;

}  // namespace solenoid
