/// From a case to what every method needs to know: how its solvers work and how long its steps are.
#pragma once

#include "case/case_file.hpp"
#include "physics/time_scheme.hpp"

namespace solenoid {

/// [solver.NAME]
SolveControl solve_control(const Case& wanted, const std::string& solver);

/// [time], which is there.
StepControl step_control(const Case& wanted);

}  // namespace solenoid
