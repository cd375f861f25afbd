/// A wave problem: u_tt = div(c^2 grad u) + f in a membrane, a room or a bar, with its boundary conditions.
#pragma once

#include "model/material.hpp"
#include "physics/nodal/nodal_boundary.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// u = value [m].
inline NodalBoundary given_displacement(const Coefficient<real>& value = {}) {
  return {BoundaryKind::value, "displacement {} m", {{"value", "m", value, 0.0}}};
}
/// du/dn = 0: waves reflect unchanged.
inline NodalBoundary free_side() { return {BoundaryKind::natural, "free", {}}; }
inline NodalBoundary absorbing_side() { return {BoundaryKind::absorbing, "absorbing", {}}; }

struct WaveProblem {
  OnRegions speed;                       ///< c [m/s], > 0; does not depend on time
  OnRegions source;                      ///< f [m/s^2]
  std::vector<NodalBoundary> boundary;   ///< by patch
  Coefficient<real> displacement, rate;  ///< initial u [m] and u_t [m/s]
};

/// The [solver.wave] table.
inline SolveControl wave_solver() {
  SolveControl control{"wave", 1e-10, 10000};
  control.min_iterations = 1;
  control.advice = {", or take a smaller time step (`step` or `cfl` in [time])",
                    "check that none of the speed, source, displacements and rates is extremely large or small",
                    "speed"};
  return control;
}

}  // namespace solenoid
