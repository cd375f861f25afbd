/// The tables of means over time in the case file: [[average]], [[profile]].
#pragma once

#include <vector>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"
#include "model/model_setup.hpp"

namespace solenoid {

// `end`: of the run [s].

/// Averages of quantities at nodes, in cells, and on patches.
std::vector<AverageSettings> read_averages(std::vector<TomlSection> sections, const ModelSetup& setup, double end);

/// Profiles of quantities at nodes and in cells.
std::vector<ProfileSettings> read_profiles(std::vector<TomlSection> sections, const ModelSetup& setup, double end);

}  // namespace solenoid
