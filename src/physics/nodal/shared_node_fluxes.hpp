/// Heat at nodes that several patches of prescribed temperature share, divided among these.
#pragma once

#include <functional>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/nodal/nodal_loads.hpp"

namespace solenoid {

/// The reaction at such a node belongs to all its patches together. Each takes what the cells' heat flux brings through
/// its own faces beside the node, and of what is left over the part that its area there has in that of all of them: the
/// sum is the reaction, and where the temperature is linear each patch has its own heat exactly.
struct SharedNodeFlux {
  std::vector<real> of_node;  ///< of each PatchNodes::node: the part of its reaction; 0 on other patches
  std::vector<int> cell;      ///< local cells beside shared nodes
  std::vector<Vec3> weight;   ///< of each of these [m^2]: weight . heat flux is added to the patch's heat
};

/// By patch; `holds(patch, place)`: it gives the temperature of this one of its nodes. Empty but for `of_node` where no
/// node is shared.
std::vector<SharedNodeFlux> shared_node_fluxes(const LocalMesh& mesh, const std::vector<PatchNodes>& patches,
                                               const std::function<bool(int patch, int place)>& holds);

}  // namespace solenoid
