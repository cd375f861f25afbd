#include "model/solver_advice.hpp"

namespace solenoid {

namespace {

/// For a system of the flow.
SolverAdvice flow_advice() {
  SolverAdvice advice;
  advice.not_finite =
      "the flow has diverged; take a smaller time step (`step` or `cfl` in [time]), and check the viscosity and the "
      "wall and initial velocities";
  advice.coefficients = "viscosity";
  return advice;
}

}  // namespace

SolverAdvice potential_advice() {
  SolverAdvice advice = flow_advice();
  advice.coefficients = "viscosity, and rows of cells at outlets, each less than ten times as thick as the next";
  advice.easier_system = ", or take a smaller time step (`step` or `cfl` in [time])";
  return advice;
}

SolverAdvice momentum_advice() { return potential_advice(); }

SolverAdvice vorticity_advice() { return flow_advice(); }

SolverAdvice pressure_advice() { return flow_advice(); }

SolverAdvice heat_advice() {
  SolverAdvice advice;
  advice.easier_system += "; a smaller `step` in [time] helps a transient run";
  advice.not_finite =
      "check that none of the temperatures, sources and fluxes, the conductivity and the heat capacity is extremely "
      "large or small";
  advice.coefficients = "conductivity and the heat capacity";
  return advice;
}

}  // namespace solenoid
