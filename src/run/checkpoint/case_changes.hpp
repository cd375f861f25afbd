/// Differences of a case from the one that a run began with, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace solenoid {

struct CaseChange {
  std::string key;   ///< flow.viscosity; of tables in lists with their name: force.lid.density
  std::string text;  ///< with it: "flow.viscosity is 0.02, was 0.01"
};

/// Of two cases with all of their keys, see Case::effective. Tables of lists that have names are compared by them,
/// other lists as a whole.
std::vector<CaseChange> changes_of_case(const nlohmann::json& now, const nlohmann::json& before);

}  // namespace solenoid
