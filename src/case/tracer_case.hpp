/// Reader of the tables [[tracer]] of a case.
#pragma once

#include <vector>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

/// `time`: of the run.
std::vector<TracerSettings> read_tracers(std::vector<TomlSection> sections, const TimeSettings& time);

}  // namespace solenoid
