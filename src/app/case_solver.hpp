/// From a case to what every method needs to know: how its solvers work and how long its steps are.
#pragma once

#include "io/case_file.hpp"
#include "physics/time_scheme.hpp"

namespace solenoid {

/// [solver.NAME]; `advice`: what physics says where it fails.
SolveControl solve_control(const Case& wanted, const std::string& solver, const SolverAdvice& advice);

/// [time], which is there.
StepControl step_control(const Case& wanted);

}  // namespace solenoid
