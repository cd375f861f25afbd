/// Heat at nodes that several patches of prescribed temperature share, divided among these.
#pragma once

#include <functional>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/nodal/nodal_loads.hpp"

namespace solenoid {

/// The reaction at such a node belongs to all its patches together. Each patch gets the cells' heat flux through its
/// own faces at the node, and a share of the remainder in proportion to its area there: the sum is the reaction, and
/// for a linear temperature each patch has its exact heat.
struct SharedNodeFlux {
  std::vector<real> of_node;  ///< for each PatchNodes::node: share of its reaction; 0 on other patches
  std::vector<int> cell;      ///< local cells at shared nodes
  std::vector<Vec3> weight;   ///< for each of these cells [m^2]: weight . heat flux is added to the patch's heat
};

/// One entry per patch; `holds(patch, place)`: whether the patch prescribes the temperature of this node. Without
/// shared nodes only `of_node` is filled.
std::vector<SharedNodeFlux> shared_node_fluxes(const LocalMesh& mesh, const std::vector<PatchNodes>& patches,
                                               const std::function<bool(int patch, int place)>& holds);

}  // namespace solenoid
