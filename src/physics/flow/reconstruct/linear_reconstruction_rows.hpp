/// The rows of LinearReconstruction, on the host.
#pragma once

#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// Row by row, of local nodes ascending: local faces and what their fluxes add to the node's velocity [1/m^2]. Of a
/// node that others own a face may be unknown here, -1.
struct LinearNodeRows {
  std::vector<int> node, begin{0}, face;
  std::vector<Vec3> weight;
  /// A node whose faces hardly tell a linear velocity, and those beside whose linear function its value is.
  struct Between {
    int node;
    std::vector<std::pair<int, real>> sources;  ///< local nodes, -1 where unknown here, and weights
  };
  std::vector<Between> between;
};

/// Of the local nodes whose velocity the boundary does not give.
LinearNodeRows linear_node_rows(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

}  // namespace solenoid
