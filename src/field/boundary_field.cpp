#include "field/boundary_field.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

void flux_into(const Field<Cell, Vec3>& in_cells, BoundaryField<real>& inward) {
  const BoundaryView faces = inward.mesh().boundary().owned();
  const auto q = in_cells.view();
  real* const result = inward.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        result[faces.place[i]] = -dot(q[Index<Cell>{faces.cell[i]}], faces.outward_normal[i]);
      });
}

}  // namespace solenoid
