/// Conditions at the boundary groups of a flow: [boundary.NAME].
#pragma once

#include <map>
#include <string>
#include <vector>

#include "case/scalar_tables.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/zones/rotating_frame.hpp"

namespace solenoid {

/// The flow's conditions by group; adds those of the scalars. `file`: of the case, for messages. `frame`:
/// that turns, from which the conditions are seen then, or null.
std::map<std::string, FlowBoundary> read_flow_boundary(TomlSection& root, const std::string& file,
                                                       std::vector<ScalarSetup>& scalars, const RotatingFrame* frame);

}  // namespace solenoid
