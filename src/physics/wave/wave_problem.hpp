/// A wave problem: u_tt = div(c^2 grad u) + f in a membrane, a room or a bar, with its boundary conditions.
#pragma once

#include <variant>
#include <vector>

#include "model/material.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

// Boundary conditions; n is the outward normal of the domain.

/// u = value [m].
struct GivenDisplacement {
  Coefficient<real> value;
};
/// du/dn = 0: waves reflect unchanged.
struct FreeSide {};
/// du/dt + c du/dn = 0: waves at normal incidence leave (Engquist & Majda 1977, first order).
struct AbsorbingSide {};
using WaveBoundary = std::variant<FreeSide, GivenDisplacement, AbsorbingSide>;

struct WaveProblem {
  OnRegions speed;                       ///< c [m/s], > 0; does not depend on time
  OnRegions source;                      ///< f [m/s^2]
  std::vector<WaveBoundary> boundary;    ///< by patch
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
