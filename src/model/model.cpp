#include "model/model.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

SolveReport Model::solve_steady() {
  throw Error(ExitCode::bad_input, "this model has no steady state to solve for at once: give it a [time]", true);
}

std::vector<std::string> names_of_patch_columns(const std::string& prefix, const std::vector<std::string>& patches,
                                                std::vector<std::string> taken) {
  const auto ends_a_name = [](char c) { return c == ',' || c == '[' || c == ']' || c == '"' || c == '\n'; };
  std::vector<std::string> names;
  for (std::string patch : patches) {
    std::replace_if(patch.begin(), patch.end(), ends_a_name, '_');
    while (std::find(taken.begin(), taken.end(), patch) != taken.end()) patch += '_';
    taken.push_back(patch);
    names.push_back(prefix + "_" + patch);
  }
  return names;
}

void add_solver_columns(std::vector<HistoryColumn>& columns, const SolveLog& solves, const std::string& solver) {
  const auto last = [&solves, solver] { return solves.last(solver); };
  columns.push_back({"iterations_" + solver, "-", [last] { return std::int64_t{last().iterations}; }});
  columns.push_back({"residual_" + solver, "-", [last] { return double{last().residual}; }});
}

}  // namespace solenoid
