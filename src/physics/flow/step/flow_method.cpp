#include "physics/flow/step/flow_method.hpp"

#include "physics/flow/step/classical_step.hpp"
#include "physics/flow/step/exact_step.hpp"

namespace solenoid {

std::unique_ptr<FlowStep> make_flow_step(const LocalMesh& mesh, const FlowStepSettings& settings,
                                         FlowBoundaries boundaries, real time, const WideHaloMesh* wide) {
  if (settings.method == FlowMethod::classical)
    return std::make_unique<ClassicalStep>(mesh, settings, std::move(boundaries), time, wide);
  return std::make_unique<ExactStep>(mesh, settings, std::move(boundaries), time, wide);
}

}  // namespace solenoid
