/// The findings of `solenoid check` as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/mesh_report.hpp"

namespace solenoid {

/// The findings as lines of at most 120 columns or so.
std::vector<std::string> check_text(const MeshFindings& found);

/// The same as the content of check.json.
nlohmann::ordered_json check_summary(const MeshFindings& found);

}  // namespace solenoid
