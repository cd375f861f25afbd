/// The viscosity of a flow in the case file.
#pragma once

#include "case/toml_section.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/scalar/scalar_setup.hpp"

namespace solenoid {

/// Reads `viscosity` of [flow]: a number, a table with a `law`, or, of the temperature that comes first among
/// `scalars`, a formula. One that does not vary is a number.
void read_viscosity(TomlSection& flow, const std::vector<ScalarSetup>& scalars, FlowStepSettings& settings);

}  // namespace solenoid
