#include "physics/model.hpp"

#include "base/error.hpp"

namespace solenoid {

SolveReport Model::solve_steady() {
  throw Error(ExitCode::bad_input, "this model has no steady state to solve for at once: give it a [time]", true);
}

std::vector<HistoryColumn> solver_columns(const SolveLog& solves, const std::string& solver) {
  const auto last = [&solves, solver]() -> const SolveReport& { return solves.entries().at(solver).last; };
  return {{"iterations_" + solver, "-", [last] { return std::int64_t{last().iterations}; }},
          {"residual_" + solver, "-", [last] { return double{last().residual}; }}};
}

}  // namespace solenoid
