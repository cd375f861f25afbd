/// The model of turbulence of a flow in the case file.
#pragma once

#include <optional>

#include "case/toml_section.hpp"
#include "physics/flow/momentum/flow_state.hpp"

namespace solenoid {

/// Reads [turbulence] into `settings`, whose [flow] has been read.
void read_turbulence(TomlSection section, FlowStepSettings& settings);

}  // namespace solenoid
