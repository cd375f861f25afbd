/// Figures of a flow: Courant number, divergence, energy, steadiness. All collective.
#pragma once

#include "field/field.hpp"
#include "model/coefficient.hpp"

namespace solenoid {

/// max_c(sum_f |U_f| / (2 V_c)) [1/s]: the Courant number of a step is dt times this.
real courant_rate(Field<Face>& flux);

/// Where that is: the centroid of the cell [m].
Vec3 fastest_place(Field<Face>& flux);

/// The largest growth of that in a second that `force` [m/s^2] makes of a fluid at rest, over `moments` uneven moments
/// up to `end` [s] where it depends on time [1/s^2].
real courant_rate_of_force(const LocalMesh& mesh, const Coefficient<Vec3>& force, real end, int moments);

/// Largest |sum of fluxes| of a cell over the largest |flux|; 0 if all are 0.
real max_divergence(Field<Face>& flux);

/// 1/2 sum_c V_c |u_c|^2 [m^5/s^2]; in 2D per metre of depth.
real kinetic_energy(const Field<Cell, Vec3>& velocity);

/// ||u' - u||_2 / (dt max(|u'|_max, boundary_speed) sqrt(V)) [1/s]; 0 where nothing moves.
real rate_of_change(const Field<Cell, Vec3>& now, const Field<Cell, Vec3>& before, real dt, real boundary_speed);

}  // namespace solenoid
