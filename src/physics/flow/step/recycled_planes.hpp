/// The flow on the planes that inlets take theirs from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/flow/boundary/recycled_inflow.hpp"
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"

namespace solenoid {

/// Feeds the inlets that recycle with the velocity of a VelocityReconstruction, from step to step.
class RecycledPlanes {
 public:
  /// `wide`: of `mesh`, null only if no inlet recycles. Refers to all of them, which must outlive it. Collective.
  RecycledPlanes(const LocalMesh& mesh, const WideHaloMesh* wide, const FlowBoundaries& boundaries);

  /// The flow at `now` enters at `end` [s]. Collective.
  void take(const Field<Face>& flux, real now, real end);
  void visit_state(StateVisitor& visitor);  ///< see Model

 private:
  struct Plane {
    Plane(RecycledInflow& on, VelocityReconstruction& velocity, const std::string& patch)
        : inflow(on), fit(velocity, on.plane().nodes()), name("recycled_" + patch) {}
    RecycledInflow& inflow;
    NodeFit fit;
    std::string name;
  };
  std::optional<VelocityReconstruction> velocity_;
  std::vector<std::unique_ptr<Plane>> planes_;
};

}  // namespace solenoid
