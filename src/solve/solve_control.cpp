#include "solve/solve_control.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// The failure and its remedies.
std::string explanation(const SolveControl& control, SolveFault fault) {
  const SolverAdvice& advice = control.advice;
  switch (fault) {
    case SolveFault::not_converged: {
      std::string text = "did not converge: raise max_iterations";
      if (control.preconditioner != PreconditionerKind::multigrid) text += ", set preconditioner = \"multigrid\"";
      return text + ", take a looser tolerance" + advice.easier_system;
    }
    case SolveFault::stagnated:
      return "stagnates: round-off keeps the residual where it is; take a looser tolerance" + advice.easier_system;
    case SolveFault::not_finite:
      return "met a value that is not finite: " + advice.not_finite;
    case SolveFault::matrix_not_definite:
      return message("broke down: the matrix is not positive definite to round-off; check the {}{}",
                     advice.coefficients, advice.easier_system);
    case SolveFault::preconditioner_not_definite:
      return "broke down: the preconditioner is not positive definite to round-off; set preconditioner = \"none\", and "
             "check the mesh's worst cells";
  }
  return "";
}

}  // namespace

const char* name_of(PreconditionerKind kind) {
  switch (kind) {
    case PreconditionerKind::automatic:
      return "auto";
    case PreconditionerKind::none:
      return "none";
    case PreconditionerKind::jacobi:
      return "jacobi";
    case PreconditionerKind::gauss_seidel:
      return "gauss-seidel";
    case PreconditionerKind::multigrid:
      return "multigrid";
    case PreconditionerKind::boomeramg:
      return "boomeramg";
    case PreconditionerKind::elimination:
      return "elimination";
  }
  return "";
}

void fail_solve(const SolveControl& control, const SolveReport& report, SolveFault fault) {
  throw Error(ExitCode::failure,
              message("[solver.{}] {} (CG, preconditioner {}: {} iterations of at most {}, residual {:.2e}, tolerance "
                      "{:.2e})",
                      control.name, explanation(control, fault), name_of(control.preconditioner), report.iterations,
                      control.max_iterations, report.residual, control.tolerance),
              true);
}

void SolveLog::record(const SolveControl& control, const SolveReport& report) {
  Entry& entry = entries_[control.name];
  entry.control = control;
  if (control.shown_tolerance > 0) entry.control.tolerance = control.shown_tolerance;
  entry.control.preconditioner = report.preconditioner;
  entry.last = report;
  ++entry.calls;
  entry.iterations_total += report.iterations;
  entry.iterations_max = std::max(entry.iterations_max, report.iterations);
  entry.residual_max = std::max(entry.residual_max, report.residual);
  entry.stagnated += report.stagnated;
  entry.seconds += report.seconds;
  entry.bytes += report.bytes;
}

void SolveLog::record_setup(const SolveControl& control, double seconds, const MultigridShape* multigrid) {
  Entry& entry = entries_[control.name];
  if (entry.calls == 0) entry.control = control;
  entry.setup_seconds += seconds;
  if (multigrid) entry.multigrid = *multigrid;
}

SolveReport SolveLog::last(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? SolveReport{} : entry->second.last;
}

}  // namespace solenoid
