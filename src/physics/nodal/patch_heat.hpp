/// Heat through each patch, from the temperatures and reactions of its nodes, on the device.
#pragma once

#include "field/field.hpp"
#include "physics/nodal/diffusion_data.hpp"
#include "physics/nodal/shared_node_fluxes.hpp"

namespace solenoid {

class PatchHeat {
 public:
  PatchHeat(const LocalMesh& mesh, const DiffusionData& data);

  void update(const DiffusionData& data);  ///< copies the present data
  void share(const DiffusionData& data);   ///< after a change of the nodes that patches hold; includes update()

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
