/// Charts of the report from the tables of the result folder, which include the time before a restart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/case_file.hpp"

namespace solenoid::report {

// As HTML; "" if there is nothing to show. `folder`: of the results. Serial. Throw Error for an invalid table.
std::string convergence_charts(const std::filesystem::path& folder);  ///< residuals and iterations
std::string history_charts(const std::filesystem::path& folder);      ///< all other quantities per step
std::string force_charts(const std::filesystem::path& folder, const std::vector<ForceSettings>& forces, bool is_planar);
std::string probe_charts(const std::filesystem::path& folder, const std::vector<ProbeSettings>& probes);
std::string integral_charts(const std::filesystem::path& folder, const std::vector<IntegralSettings>& integrals);
std::string line_charts(const std::filesystem::path& folder, const std::vector<LineSettings>& lines, bool is_planar);

}  // namespace solenoid::report
