#include "physics/flow/step/flow_method.hpp"

#include "physics/flow/step/classical_step.hpp"
#include "physics/flow/step/exact_step.hpp"

namespace solenoid {

std::unique_ptr<FlowStep> make_flow_step(const LocalMesh& mesh, const FlowStepSettings& settings,
                                         FlowBoundaries boundaries, real time, const WideHaloMesh* wide) {
  if (settings.method == FlowMethod::classical) {
    require_on_all_ranks(
        !settings.has_porous_zone(),
        [] {
          return "[zone] with `darcy` or `forchheimer` takes method = \"exact\" in [flow]: the classical step corrects "
                 "the pressure as if nothing stood in the flow";
        },
        ExitCode::bad_input);
    return std::make_unique<ClassicalStep>(mesh, settings, std::move(boundaries), time, wide);
  }
  return std::make_unique<ExactStep>(mesh, settings, std::move(boundaries), time, wide);
}

}  // namespace solenoid
