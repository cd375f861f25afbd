#include "physics/model.hpp"

#include "base/error.hpp"

namespace solenoid {

SolveReport Model::solve_steady() {
  throw Error(ExitCode::bad_input, "this model has no steady state to solve for at once: give it a [time]", true);
}

void add_solver_columns(std::vector<HistoryColumn>& columns, const SolveLog& solves, const std::string& solver) {
  const auto last = [&solves, solver]() -> const SolveReport& { return solves.entries().at(solver).last; };
  columns.push_back({"iterations_" + solver, "-", [last] { return std::int64_t{last().iterations}; }});
  columns.push_back({"residual_" + solver, "-", [last] { return double{last().residual}; }});
}

}  // namespace solenoid
