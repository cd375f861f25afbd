/// Operators between face fluxes and cell vectors: interpolation I, integration I^T, and the face mass M = I^T V I.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// Cell velocity [m/s] from face fluxes [m^3/s]: u_c = (1/V_c) sum_f +-U_f (x_f - x_c), exact for a constant velocity.
/// Perot 2000, eq. 95.
void interpolate(Exchanged<Face> flux, Field<Cell, Vec3>& velocity);

/// Line integral along the dual of each face [m * unit of a]: (I^T V a)_f = sum_c +-(x_f - x_c).a_c, the
/// volume-weighted transpose of the interpolation. Perot 2000, eq. 96.
void integrate(Exchanged<Cell, Vec3> vector, Field<Face>& integral);

/// M U [m^2/s], the line integral of the velocity along each dual: integrate(interpolate(U)). `velocity` receives I U
/// and its halo.
void apply_face_mass(Exchanged<Face> flux, Field<Cell, Vec3>& velocity, Field<Face>& result);

}  // namespace solenoid
