/// Nodes whose values are given by the patches they lie on.
#pragma once

#include <functional>
#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// The role of each local node in a Space<Node>: prescribed on the patches for which `is_given` holds, else free; the
/// same on every rank that holds the node. Collective.
std::vector<int> prescribed_on(const LocalMesh& mesh, const std::function<bool(int patch)>& is_given);

}  // namespace solenoid
