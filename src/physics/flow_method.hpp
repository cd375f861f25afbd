/// The fractional step that the settings ask for.
#pragma once

#include <memory>

#include "physics/flow_step.hpp"

namespace solenoid {

/// At rest at `time` [s]. Refers to `mesh`, which must outlive it. Collective; throws as the step's constructor does.
std::unique_ptr<FlowStep> make_flow_step(const LocalMesh& mesh, const FlowStepSettings& settings,
                                         FlowBoundaries boundaries, real time, const WideMesh* wide = nullptr);

}  // namespace solenoid
