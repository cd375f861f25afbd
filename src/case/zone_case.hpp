/// The zones of a flow in the case file.
#pragma once

#include <vector>

#include "case/toml_section.hpp"
#include "physics/flow/zones/flow_zone.hpp"
#include "physics/scalar/scalar_setup.hpp"

namespace solenoid {

/// Reads the tables [zone.NAME], in file order, of a flow with these scalars.
std::vector<FlowZone> read_flow_zones(TomlSection& root, const std::vector<ScalarSetup>& scalars);

}  // namespace solenoid
