/// Settings of a linear solver, and its report.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/real.hpp"
#include "solve/multigrid/shape.hpp"

namespace solenoid {

/// `automatic`: multigrid where a system needs so many iterations with jacobi that it pays.
enum class PreconditionerKind { automatic, none, jacobi, gauss_seidel, multigrid, boomeramg };
const char* name_of(PreconditionerKind kind);  ///< as case files say it

/// What a user can do where a solver fails, in the words of whoever set up its system: parts of messages.
struct SolverAdvice {
  /// What makes the system easier, after other advice.
  std::string easier_system = ", or check the mesh's worst cells (solenoid check)";
  /// What a value that is not finite tells, and what to check.
  std::string not_finite = "check that no number that the system is made of is extremely large or small";
  /// What the matrix is made of besides the mesh.
  std::string coefficients = "coefficients";
};

/// One [solver.NAME] of the case file: stop at ||r|| <= tolerance ||b||, at the latest after max_iterations, and not
/// before min_iterations unless r = 0.
struct SolveControl {
  std::string name;  ///< for messages
  real tolerance = 1e-8;
  int max_iterations = 10000;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  int min_iterations = 0;
  SolverAdvice advice = {};
};

struct SolveReport {
  int iterations = 0;
  real residual = 0;  ///< ||b - A x|| / ||b|| of the result, see cg(); not divided where b = 0
  bool converged = false;
  bool stagnated = false;  ///< round-off keeps the residual above the tolerance: this is the best there is
  double seconds = 0;
  std::int64_t bytes = 0;                                        ///< moved by this rank, see count_traffic()
  PreconditionerKind preconditioner = PreconditionerKind::none;  ///< that it took
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
    int stagnated = 0;  ///< calls that did
    double seconds = 0;
    std::int64_t bytes = 0;    ///< moved by this rank
    double setup_seconds = 0;  ///< of matrices and preconditioners
    std::optional<MultigridShape> multigrid;
  };
  void record(const SolveControl& control, const SolveReport& report);
  /// `multigrid`: where that is the preconditioner.
  void record_setup(const SolveControl& control, double seconds, const MultigridShape* multigrid = nullptr);
  /// The same of an assembled system before its first solve: a system that is never solved is not in the log.
  template <class System>
  void record_setup_once(const SolveControl& control, const System& system) {
    if (!entries_.contains(control.name)) record_setup(control, system.setup_seconds(), system.shape());
  }
  /// Takes those of another log, of solvers with other names, as they are now.
  void merge(const SolveLog& other) {
    for (const auto& [name, entry] : other.entries_) entries_.insert_or_assign(name, entry);
  }
  const std::map<std::string, Entry>& entries() const { return entries_; }
  /// Of the last solve by that name; where there was none yet, as of a fluid at rest, a report of no iterations.
  SolveReport last(const std::string& name) const;

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace solenoid
