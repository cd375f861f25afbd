#include "solve/solver.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

void fail_solve(const SolveControl& control, const SolveReport& report, const std::string& what) {
  throw Error(ExitCode::failure,
              message("[solver.{}] {} (after {} iterations, residual {:.2e}, wanted {:.2e})", control.name, what,
                      report.iterations, report.residual, control.tolerance),
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
  entry.seconds += report.seconds;
}

}  // namespace solenoid
