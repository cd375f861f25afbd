/// Integrals over patches of quantities on the boundary.
#pragma once

#include <vector>

#include "model/quantity.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

class PatchIntegral {
 public:
  /// Over the union of these patches: indices into mesh.part().patches, each once. Refers to `mesh`, which outlives it.
  /// Collective.
  PatchIntegral(const LocalMesh& mesh, const std::vector<int>& patches);

  real area() const { return area_; }  ///< [m^2]; length [m] on triangle meshes

  /// sum_f A_f q_f of values on boundary faces, or of values at nodes, linear in between: a real for each component, in
  /// the unit of the values times that of area(). Collective. Throws a collective Error for values in cells.
  std::vector<real> of(const Evaluated& values) const;

  /// The largest of these values on the faces, at least 0. Collective.
  real largest(const BoundaryField<real>& values) const;

  /// sum_f A_f (x_f - about) x q_f. Collective.
  Vec3 moment_of(const BoundaryField<Vec3>& values, const Vec3& about) const;

 private:
  const LocalMesh& mesh_;
  DeviceArray<Vec3> centre_;        // of each owned boundary face
  DeviceArray<real> area_of_face_;  // of each owned boundary face; 0 on other patches
  real area_;
};

}  // namespace solenoid
