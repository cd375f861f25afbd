/// Heat through each patch, from the temperatures and reactions of its nodes, on the device.
#pragma once

#include "field/field.hpp"
#include "physics/nodal/diffusion_data.hpp"

namespace solenoid {

/// Heat at nodes that several patches of prescribed temperature share. The reaction at such a node belongs to all its
/// patches together. Each patch gets the cells' heat flux through its own faces at the node, and a share of the
/// remainder in proportion to its area there: the sum is the reaction, and for a linear temperature each patch has its
/// exact heat.
struct SharedNodeFlux {
  std::vector<real> of_node;  ///< for each PatchNodes::node: share of its reaction; 0 on other patches
  std::vector<int> cell;      ///< local cells at shared nodes
  std::vector<Vec3> weight;   ///< for each of these cells [m^2]: weight . heat flux is added to the patch's heat
};

class PatchHeat {
 public:
  /// Without loads until update().
  PatchHeat(const LocalMesh& mesh, const DiffusionData& data);

  void update(const DiffusionData& data);  ///< copies the present data
  void share(const DiffusionData& data);   ///< after a change of the nodes that patches hold; update() must follow

  /// Heat into the body through each patch [W]; `reaction`: at nodes with prescribed temperature. Collective.
  std::vector<real> through(Exchanged<Node> temperature, const Field<Node>& reaction) const;

 private:
  void update_flux(const DiffusionData& data);

  struct Patch {  // heat = sum of (constant - coefficient T + share * reaction) + sum of flux_coefficient T
    DeviceArray<int> node;
    DeviceArray<real> constant, coefficient, share;
    DeviceArray<int> flux_node;
    DeviceArray<real> flux_coefficient;
  };
  const LocalMesh& mesh_;
  std::vector<SharedNodeFlux> shares_;
  std::vector<Patch> patches_;
};

}  // namespace solenoid
