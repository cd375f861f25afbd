/// Tractions of a fluid on its boundary.
#pragma once

#include "field/boundary_field.hpp"

namespace solenoid {

/// Force on each boundary face per area and density [m^2/s^2].
struct Tractions {
  BoundaryField<Vec3> pressure;  ///< p n, n out of the fluid
  BoundaryField<Vec3> friction;  ///< -nu (grad u + grad u^T) n, see SurfaceGradient
  explicit Tractions(const LocalMesh& mesh) : pressure(mesh), friction(mesh) {}
};

}  // namespace solenoid
