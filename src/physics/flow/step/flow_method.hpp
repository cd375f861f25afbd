/// The choice of the fractional step.
#pragma once

#include <memory>

#include "physics/flow/step/flow_step.hpp"

namespace solenoid {

/// At rest at `time` [s]. `wide`: see FlowStep. Refers to both meshes, which must outlive it. Collective; throws as the
/// step's constructor does.
std::unique_ptr<FlowStep> make_flow_step(const LocalMesh& mesh, const FlowStepSettings& settings,
                                         FlowBoundaries boundaries, real time, const WideHaloMesh* wide = nullptr);

}  // namespace solenoid
