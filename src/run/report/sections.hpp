/// The sections of the report as HTML: tables from summary.json; charts from the tables of the result folder, which
/// include the time before a restart.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/case_file.hpp"
#include "mesh/quality.hpp"

namespace solenoid::report {

using Json = nlohmann::ordered_json;

// As HTML. `summary`: the whole of summary.json.
std::string key_figures(const Json& summary);
std::string case_listing(const Json& summary);
std::string mesh_tables(const Json& summary, const std::vector<QualityFigure>& quality);
std::string model_figures(const Json& summary);  ///< all groups shown in no other part
std::string solver_table(const Json& summary);
std::string phase_table(const Json& summary);
std::string version_table(const Json& summary);

// As HTML; "" if there is nothing to show. `folder`: of the results. Serial. Throw Error for an invalid table.
std::string convergence_charts(const std::filesystem::path& folder);  ///< residuals and iterations
std::string history_charts(const std::filesystem::path& folder);      ///< all other quantities per step
std::string force_charts(const std::filesystem::path& folder, const std::vector<ForceSettings>& forces, bool is_planar);
std::string probe_charts(const std::filesystem::path& folder, const std::vector<ProbeSettings>& probes);
std::string integral_charts(const std::filesystem::path& folder, const std::vector<IntegralSettings>& integrals);
std::string section_charts(const std::filesystem::path& folder, const std::vector<SectionSettings>& sections);
std::string line_charts(const std::filesystem::path& folder, const std::vector<LineSettings>& lines, bool is_planar);

}  // namespace solenoid::report
