/// Advice at the end of a message about a solver that failed.
#pragma once

#include "solve/solve_control.hpp"

namespace solenoid {

/// [solver.potential] and [solver.momentum]: the flow's systems that depend on the time step.
SolverAdvice potential_advice();
SolverAdvice momentum_advice();
/// [solver.vorticity]
SolverAdvice vorticity_advice();
/// [solver.pressure]
SolverAdvice pressure_advice();
/// [solver.heat]
SolverAdvice heat_advice();

}  // namespace solenoid
