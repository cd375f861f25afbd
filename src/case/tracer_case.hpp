/// Reader of the tables [[tracer]] of a case.
#pragma once

#include <vector>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"

namespace solenoid {

/// `end`: of the run [s].
std::vector<TracerSettings> read_tracers(std::vector<TomlSection> sections, double end);

}  // namespace solenoid
