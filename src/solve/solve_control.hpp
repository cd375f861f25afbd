/// Settings of a linear solver, and its report.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/phases.hpp"
#include "base/real.hpp"
#include "solve/multigrid/shape.hpp"

namespace solenoid {

/// `automatic`: multigrid if jacobi would need so many iterations that it pays.
enum class PreconditionerKind { automatic, none, jacobi, gauss_seidel, multigrid, boomeramg, elimination };
const char* name_of(PreconditionerKind kind);  ///< as in case files

/// Advice for the user when a solver fails, from the code that sets up its system: parts of messages.
struct SolverAdvice {
  /// How to make the system easier to solve, after other advice.
  std::string easier_system = ", or check the mesh's worst cells (solenoid check)";
  /// The meaning of a value that is not finite, and the remedy.
  std::string not_finite = "check that no number that the system is made of is extremely large or small";
  /// The ingredients of the matrix other than the mesh.
  std::string coefficients = "coefficients";
};

class SolveLog;

/// One [solver.NAME] of the case file: stops at ||r|| <= tolerance ||b||, after max_iterations at the latest, and not
/// before min_iterations unless r = 0.
struct SolveControl {
  std::string name;  ///< for messages
  real tolerance = 1e-8;
  int max_iterations = 10000;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  int min_iterations = 0;
  SolverAdvice advice = {};
  SolveLog* log = nullptr;   ///< receives the report of each solve; outlives the control
  real shown_tolerance = 0;  ///< in the log; 0: the tolerance
};

struct SolveReport {
  int iterations = 0;
  real residual = 0;  ///< ||b - A x|| / ||b|| of the result, see cg(); not divided if b = 0
  bool converged = false;
  bool stagnated = false;  ///< round-off keeps the residual above the tolerance: it cannot be improved
  double seconds = 0;
  std::int64_t bytes = 0;                                        ///< moved by this rank, see count_traffic()
  PreconditionerKind preconditioner = PreconditionerKind::none;  ///< the one used
};

/// The solves of a run, by solver.
class SolveLog {
 public:
  struct Entry {
    SolveControl control;
    SolveReport last;
    int calls = 0;
    long iterations_total = 0;
    int iterations_max = 0;
    real residual_max = 0;
    int stagnated = 0;  ///< stagnated calls
    double seconds = 0;
    std::int64_t bytes = 0;    ///< moved by this rank
    double setup_seconds = 0;  ///< of matrices and preconditioners
    std::optional<MultigridShape> multigrid;
  };
  void record(const SolveControl& control, const SolveReport& report);
  /// `multigrid`: its shape if it is the preconditioner.
  void record_setup(const SolveControl& control, double seconds, const MultigridShape* multigrid = nullptr);
  /// Copies the current entries of another log, of solvers with other names.
  void merge(const SolveLog& other) {
    for (const auto& [name, entry] : other.entries_) entries_.insert_or_assign(name, entry);
  }
  const std::map<std::string, Entry>& entries() const { return entries_; }
  /// Report of the last solve by that name; a report with no iterations before the first one, such as for a fluid at
  /// rest.
  SolveReport last(const std::string& name) const;

 private:
  std::map<std::string, Entry> entries_;
};

/// The same control, whose solves enter `log` under its tolerance, also those with another one. `log` outlives it.
inline SolveControl recorded_in(SolveLog& log, SolveControl control) {
  control.log = &log;
  control.shown_tolerance = control.tolerance;
  return control;
}

/// The same control with no log: of a solve within another one, or of a set-up.
inline SolveControl unrecorded(SolveControl control) {
  control.log = nullptr;
  return control;
}

/// The report of `solve(control without a log)`, with all time and traffic since the call; enters the control's log.
template <class Solve>
SolveReport recorded(const SolveControl& control, const Solve& solve) {
  const Stopwatch watch;
  SolveReport report = solve(unrecorded(control));
  report.seconds = watch.seconds();
  report.bytes = watch.bytes();
  if (control.log) control.log->record(control, report);
  return report;
}

/// Time of a solver's set-up that is not in a log yet.
class SetupTime {
 public:
  void add(const Stopwatch& watch) { seconds_ += watch.seconds(); }
  /// Moves it into the control's log, if any. `multigrid`: its shape if it is the preconditioner.
  void record(const SolveControl& control, const MultigridShape* multigrid) {
    if (!control.log || (seconds_ == 0 && control.log->entries().contains(control.name))) return;
    control.log->record_setup(control, std::exchange(seconds_, 0), multigrid);
  }

 private:
  double seconds_ = 0;
};

/// Reasons of a failed solve.
enum class SolveFault { not_converged, stagnated, not_finite, matrix_not_definite, preconditioner_not_definite };

/// Throws a collective Error (exit code 1) with the failure of this solver and its remedies.
/// Every rank calls it with the same values.
[[noreturn]] void fail_solve(const SolveControl& control, const SolveReport& report, SolveFault fault);

}  // namespace solenoid
