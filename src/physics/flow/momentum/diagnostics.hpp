/// Figures of a flow: Courant number, divergence, energy, steadiness. All collective.
#pragma once

#include <functional>

#include "field/field.hpp"
#include "model/coefficient.hpp"
#include "parallel/pending.hpp"

namespace solenoid {

/// max_c(sum_f |U_f| / (2 V_c)) [1/s]: the Courant number of a step is dt times this.
real courant_rate(Field<Face>& flux);

/// courant_rate() and max_divergence() in one pass.
struct FluxFigures {
  real courant_rate, max_divergence;
};
FluxFigures figures_of(Field<Face>& flux);
/// The same in two parts: begun, and of all ranks.
Pending<Sums<3>> begin_figures(Field<Face>& flux);
FluxFigures figures_of(const Comm& comm, const Sums<3>& of_this_rank);

/// Centroid of the cell with the largest rate [m].
Vec3 fastest_place(Field<Face>& flux);
/// The same of fluxes [m^3/s] through local faces as they are seen from local cells.
Vec3 fastest_place(const LocalMesh& mesh, const std::function<real(int cell, int face)>& flux);

/// The largest growth per second of that rate that `force` [m/s^2] causes in a fluid at rest [1/s^2]; over `moments`
/// uneven moments from `begin` to `end` [s] if the force depends on time.
real courant_rate_of_force(const LocalMesh& mesh, const Coefficient<Vec3>& force, real begin, real end, int moments);

/// Largest |sum of fluxes| of a cell over the largest |flux|; 0 if all are 0.
real max_divergence(Field<Face>& flux);

/// 1/2 sum_c V_c |u_c|^2 [m^5/s^2]; in 2D per metre of depth.
real kinetic_energy(const Field<Cell, Vec3>& velocity);
PendingSums<1> begin_kinetic_energy(const Field<Cell, Vec3>& velocity);  ///< this rank's part

/// ||u' - u||_2 / (dt max(|u'|_max, boundary_speed) sqrt(V)) [1/s]; 0 if nothing moves.
real rate_of_change(const Field<Cell, Vec3>& now, const Field<Cell, Vec3>& before, real dt, real boundary_speed);

}  // namespace solenoid
