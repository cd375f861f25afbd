/// What to do where a solver of the flow or of heat conduction fails: the ends of its messages.
#pragma once

#include "solve/solve_control.hpp"

namespace solenoid {

/// [solver.potential] and [solver.momentum]: of the flow's systems those that depend on the time step.
SolverAdvice potential_advice();
SolverAdvice momentum_advice();
/// [solver.vorticity]
SolverAdvice vorticity_advice();
/// [solver.pressure]
SolverAdvice pressure_advice();
/// [solver.heat]
SolverAdvice heat_advice();

}  // namespace solenoid
