/// The rows of LinearReconstruction, on the host.
#pragma once

#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// Rows of local nodes, ascending: local faces and the weights of their fluxes in the node's velocity [1/m^2]. Rows of
/// halo nodes may have faces unknown to this rank, -1.
struct LinearNodeRows {
  std::vector<int> node, begin{0}, face;
  std::vector<Vec3> weight;
  /// A node whose faces hardly determine a linear velocity: its value interpolates its neighbours linearly.
  struct Between {
    int node;
    std::vector<std::pair<int, real>> sources;  ///< local nodes, -1 if unknown to this rank, and weights
  };
  std::vector<Between> between;
};

/// Rows of the local nodes without a prescribed velocity.
LinearNodeRows linear_node_rows(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

}  // namespace solenoid
