/// Tables of the report from summary.json: the case, the mesh, the model's figures, solvers, time and versions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/report/quality.hpp"

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

}  // namespace solenoid::report
