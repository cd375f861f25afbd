/// Forces of a fluid on its boundary: as tractions, and by a test function inside the fluid.
#pragma once

#include <vector>

#include "field/boundary_field.hpp"

namespace solenoid {

/// Force on each boundary face per area and density [m^2/s^2].
struct Tractions {
  BoundaryField<Vec3> pressure;  ///< p n, n out of the fluid
  BoundaryField<Vec3> friction;  ///< -nu (grad u + grad u^T) n, see SurfaceGradient
  explicit Tractions(const LocalMesh& mesh) : pressure(mesh), friction(mesh) {}
};

/// A test function that is 1 on some of the boundary and 0 on the rest: momentum in the fluid, weighted with it, is the
/// force on that part (Babuska & Miller 1984). Harmonic inside the fluid, linear on cells.
class ForceTestFunction {
 public:
  /// `patches`: indices into mesh.part().patches. Refers to `mesh`, which outlives it. Collective; throws as cg does.
  ForceTestFunction(const LocalMesh& mesh, const std::vector<int>& patches);

  const Field<Cell>& in_cells() const { return in_cells_; }              ///< mean over owned cells
  const Field<Cell, Vec3>& gradient() const { return gradient_; }        ///< in owned cells [1/m]
  const BoundaryField<real>& over_faces() const { return over_faces_; }  ///< integral over boundary faces [m^2]
  /// Integral of the function times the normal over each periodic pair, from the first patch to the second [m^2].
  const std::vector<Vec3>& over_pairs() const { return over_pairs_; }

 private:
  Field<Cell> in_cells_;
  Field<Cell, Vec3> gradient_;
  BoundaryField<real> over_faces_;
  std::vector<Vec3> over_pairs_;
};

}  // namespace solenoid
