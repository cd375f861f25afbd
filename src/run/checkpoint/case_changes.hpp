/// Differences of a case from the one that a run began with, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace solenoid {

struct CaseChange {
  std::string key;   ///< flow.viscosity; for named tables in lists: force.lid.density
  std::string text;  ///< message: "flow.viscosity is 0.02, was 0.01"
};

/// Differences of two cases with all of their keys, see Case::effective. Lists of named tables are compared by name,
/// other lists as a whole.
std::vector<CaseChange> changes_of_case(const nlohmann::json& now, const nlohmann::json& before);

}  // namespace solenoid
