/// The viscosity of a flow in the case file.
#pragma once

#include "case/toml_section.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/scalar/scalar_setup.hpp"

namespace solenoid {

/// Reads `viscosity` of [flow]: a number, a table with a `law`, or, of the temperature that comes first among
/// `scalars`, a formula. One that does not vary is a number.
void read_viscosity(TomlSection& flow, const std::vector<ScalarSetup>& scalars, FlowStepSettings& settings);

/// Sets the viscosity that numbers are relative to, and its temperature, where the settings have a formula of that.
/// After `temperature` has been read, from [initial], too. A fault is noted where a constant start has no viscosity
/// greater than 0; other temperatures of the flow are for its set-up to check.
void relate_viscosity(TomlSection& flow, const TomlSection& initial, const ScalarSetup& temperature,
                      FlowStepSettings& settings);

}  // namespace solenoid
