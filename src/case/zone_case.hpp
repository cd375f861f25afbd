/// The zones of a flow in the case file.
#pragma once

#include <vector>

#include "case/toml_section.hpp"
#include "physics/flow/zones/flow_zone.hpp"

namespace solenoid {

/// Reads the tables [zone.NAME], in file order.
std::vector<FlowZone> read_flow_zones(TomlSection& root);

}  // namespace solenoid
