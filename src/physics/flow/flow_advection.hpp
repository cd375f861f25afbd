/// Velocity of a flow after every step, as used to advect tracers, on the device.
#pragma once

#include <optional>
#include <vector>

#include "model/node_velocity.hpp"
#include "physics/flow/reconstruct/stream_fit.hpp"
#include "physics/flow/reconstruct/wall_data.hpp"
#include "physics/flow/step/flow_step.hpp"

namespace solenoid {

/// In 2D the cubic stream functions of StreamFit, which stores its stencils, with the prescribed velocity on walls and
/// inlets; in 3D the fit used for output, also a product.
class FlowAdvection : public AdvectingVelocity {
 public:
  /// Refers to all three, which must outlive it. Collective.
  FlowAdvection(FlowStep& flow, const WideHaloMesh& wide, VelocityReconstruction& fit);

  Exchanged<Node, NodeVelocity> velocity(Field<Node, NodeVelocity>& nodes) override;
  bool is_open(int patch) const override {
    return flow_.boundaries().lets_given_flux_pass(patch) || flow_.boundaries().outlet(patch);
  }

 private:
  /// Data of a plane flow.
  struct InPlane {
    StreamFit fit;
    WallData walls;
    std::vector<int> nodes;  // owned ones with prescribed velocity
    std::vector<std::vector<WallCorner>> corners;
    DeviceArray<int> given_nodes;
    DeviceArray<Vec3> given;
    bool is_sampled = false;
    InPlane(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);
    void sample(real time, bool again);
  };
  FlowStep& flow_;
  VelocityReconstruction& fit_;
  std::optional<InPlane> in_plane_;
};

}  // namespace solenoid
