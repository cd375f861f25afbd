#include "solve/solver.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// What to change. Of the flow's systems only that of the potential depends on the time step.
std::string advice(const SolveControl& control, SolveFault fault) {
  const bool is_heat = control.name == "heat";
  std::string easier_system = ", or check the mesh's worst cells (solenoid check)";
  if (control.name == "potential") easier_system = ", or take a smaller time step (`step` or `cfl` in [time])";
  if (is_heat) easier_system += "; a smaller `step` in [time] helps a transient run";
  switch (fault) {
    case SolveFault::not_converged: {
      std::string text = "did not converge: raise max_iterations";
      if (control.preconditioner == PreconditionerKind::none) text += ", set preconditioner = \"jacobi\"";
      return text + ", take a looser tolerance" + easier_system;
    }
    case SolveFault::stagnated:
      return "stagnates: round-off keeps the residual where it is; take a looser tolerance" + easier_system;
    case SolveFault::not_finite:
      if (is_heat) {
        return "met a value that is not finite: check that none of the temperatures, sources and fluxes, the "
               "conductivity and the heat capacity is extremely large or small";
      }
      return "met a value that is not finite: the flow has diverged; take a smaller time step (`step` or `cfl` in "
             "[time]), and check the viscosity and the wall and initial velocities";
    case SolveFault::matrix_not_definite:
      return message("broke down: the matrix is not positive definite to round-off; check the {}{}",
                     is_heat ? "conductivity and the heat capacity" : "viscosity", easier_system);
    case SolveFault::preconditioner_not_definite:
      return "broke down: the preconditioner is not positive definite to round-off; set preconditioner = \"none\", and "
             "check the mesh's worst cells";
  }
  return "";
}

}  // namespace

void fail_solve(const SolveControl& control, const SolveReport& report, SolveFault fault) {
  const char* preconditioner = control.preconditioner == PreconditionerKind::none ? "none" : "jacobi";
  throw Error(ExitCode::failure,
              message("[solver.{}] {} (CG, preconditioner {}: {} iterations of at most {}, residual {:.2e}, tolerance "
                      "{:.2e})",
                      control.name, advice(control, fault), preconditioner, report.iterations, control.max_iterations,
                      report.residual, control.tolerance),
              true);
}

void SolveLog::record(const SolveControl& control, const SolveReport& report) {
  Entry& entry = entries_[control.name];
  entry.control = control;
  entry.last = report;
  ++entry.calls;
  entry.iterations_total += report.iterations;
  entry.iterations_max = std::max(entry.iterations_max, report.iterations);
  entry.residual_max = std::max(entry.residual_max, report.residual);
  entry.stagnated += report.stagnated;
  entry.seconds += report.seconds;
}

void SolveLog::record_setup(const SolveControl& control, double seconds) {
  Entry& entry = entries_[control.name];
  entry.control = control;
  entry.setup_seconds += seconds;
}

}  // namespace solenoid
