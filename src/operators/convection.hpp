/// Convection of momentum, cell by cell.
#pragma once

#include "operators/means.hpp"

namespace solenoid {

/// omega_c x u_c [m/s^2] of each owned cell, omega_c the mean vorticity of its nodes [1/s] (2D, along z). The line
/// integral of this along the duals does no work: U . I^T V (omega x u) = 0 to round-off.
void rotational_convection(Exchanged<Edge> vorticity, const Field<Cell, Vec3>& velocity, Field<Cell, Vec3>& convection);

/// The same with the cell vorticity of EdgeMeans::in_cells.
void rotational_convection(const EdgeMeans& in_cells, Exchanged<Edge> vorticity, const Field<Cell, Vec3>& velocity,
                           Field<Cell, Vec3>& convection);

/// The velocity at a face: the mean of its two cells' velocities, which does no work in total (thesis, section 7.6), or
/// the velocity of the upstream cell, of first order.
enum class FaceVelocity { central, upwind };

/// U_f u_f [m^4/s^2] of each owned face; on the boundary u_f is the velocity of the cell inside.
void carry_momentum(const Field<Face>& flux, Exchanged<Cell, Vec3> velocity, FaceVelocity kind,
                    Field<Face, Vec3>& momentum);

/// Outward momentum flux of each owned cell over its volume: sum_f +-U_f u_f / V_c [m/s^2].
void divergence_convection(Exchanged<Face, Vec3> momentum, Field<Cell, Vec3>& convection);

}  // namespace solenoid
