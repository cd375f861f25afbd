/// Convection of momentum by cells.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// omega_c x u_c [m/s^2] of each owned cell, omega_c the mean over its nodes of the vorticity [1/s] (2D, along z). The
/// line integral of this along the duals does no work: U . I^T V (omega x u) = 0 to round-off.
void rotational_convection(Exchanged<Edge> vorticity, const Field<Cell, Vec3>& velocity, Field<Cell, Vec3>& convection);

}  // namespace solenoid
