/// What the outputs of one step have in common: each thing is worked out when somebody first asks for it.
#pragma once

#include "physics/exact_step.hpp"
#include "physics/velocity_fit.hpp"

namespace solenoid {

class FlowSamples {
 public:
  /// `wide`: the partition of `mesh` with VelocityFit::layers layers of halo. Collective.
  FlowSamples(const LocalMesh& mesh, MeshPart wide) : fit_(mesh, std::move(wide)), nodes_(mesh) {}

  // Of the flow after step `step`, halo included. Collective.
  const std::vector<NodeVelocity>& nodes(int step, ExactStep& flow);
  const std::vector<real>& pressure(int step, ExactStep& flow);  ///< at cells [m^2/s^2]

  VelocityFit& fit() { return fit_; }

 private:
  VelocityFit fit_;
  Field<Node, NodeVelocity> nodes_;
  std::vector<NodeVelocity> nodes_on_host_;
  std::vector<real> pressure_;
  int step_of_nodes_ = -1, step_of_pressure_ = -1;
};

}  // namespace solenoid
