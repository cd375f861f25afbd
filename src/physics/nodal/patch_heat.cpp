#include "physics/nodal/patch_heat.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

PatchHeat::PatchHeat(const LocalMesh& mesh, const DiffusionData& data)
    : mesh_(mesh), patches_(data.patch_nodes().size()) {
  share(data);
}

void PatchHeat::share(const DiffusionData& data) {
  shares_ =
      shared_node_fluxes(mesh_, data.patch_nodes(), [&](int patch, int place) { return data.holds(patch, place); });
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    patches_[p].node = DeviceArray<int>(data.patch_nodes()[p].node);
    patches_[p].share = DeviceArray<real>(shares_[p].of_node);
  }
  update(data);
}

void PatchHeat::update(const DiffusionData& data) {
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    patches_[p].constant = DeviceArray<real>(data.patches()[p].constant);
    patches_[p].coefficient = DeviceArray<real>(data.patches()[p].coefficient);
  }
  update_flux(data);
}

/// The heat fluxes -k grad T of SharedNodeFlux's cells as sums over their nodes.
void PatchHeat::update_flux(const DiffusionData& data) {
  const MeshPart& part = mesh_.part();
  const int corners = part.corners();
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    std::vector<int> nodes;
    std::vector<real> coefficients;
    for (std::size_t i = 0; i < shares_[p].cell.size(); ++i) {
      const int cell = shares_[p].cell[i];
      for (int k = 0; k < corners; ++k) {
        nodes.push_back(part.cell_nodes_of(cell)[k]);
        coefficients.push_back(-data.conductivity()[cell] *
                               dot(shares_[p].weight[i], shape_gradient(part, mesh_.geometry(), cell, k)));
      }
    }
    patches_[p].flux_node = DeviceArray<int>(nodes);
    patches_[p].flux_coefficient = DeviceArray<real>(coefficients);
  }
}

std::vector<real> PatchHeat::through(Exchanged<Node> temperature, const Field<Node>& reaction) const {
  std::vector<PartialSum> heat;
  const auto t = temperature.view();
  const auto r = reaction.view();
  for (const Patch& patch : patches_) {
    const int* const node = patch.node.data();
    const real* const constant = patch.constant.data();
    const real* const coefficient = patch.coefficient.data();
    const real* const share = patch.share.data();
    heat.push_back(reduce_sum(
        static_cast<int>(patch.node.size()), SOLENOID_KERNEL(int k) {
          const Index<Node> n{node[k]};
          return constant[k] - coefficient[k] * t[n] + (share[k] > 0 ? share[k] * r[n] : 0);
        }));
    if (patch.flux_node.size() == 0) continue;
    const int* const flux_node = patch.flux_node.data();
    const real* const flux_coefficient = patch.flux_coefficient.data();
    heat.back() += reduce_sum(
        static_cast<int>(patch.flux_node.size()),
        SOLENOID_KERNEL(int k) { return flux_coefficient[k] * t[Index<Node>{flux_node[k]}]; });
  }
  return totals(mesh_.comm(), heat);
}

}  // namespace solenoid
