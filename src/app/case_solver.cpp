#include "app/case_solver.hpp"

namespace solenoid {

SolveControl solve_control(const Case& wanted, const std::string& solver, const SolverAdvice& advice) {
  const SolverSettings& s = wanted.solver.at(solver);
  return {solver, static_cast<real>(s.tolerance), s.max_iterations, s.preconditioner, 0, advice};
}

StepControl step_control(const Case& wanted) {
  StepControl control;
  control.step = static_cast<real>(wanted.time->step.value_or(0));
  control.cfl = static_cast<real>(wanted.time->cfl.value_or(0));
  control.step_max = static_cast<real>(wanted.time->step_max.value_or(0));
  return control;
}

}  // namespace solenoid
