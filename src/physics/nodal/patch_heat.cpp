#include "physics/nodal/patch_heat.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Heat into the body per unit of heat flux through one corner's part of a face.
Vec3 inward_area(const LocalMesh& mesh, const BoundaryFace& b) {
  return -((mesh.geometry().face_area[b.face] / mesh.dimension()) * b.outward_normal);
}

struct Corner {  // of a face of a patch with prescribed temperature, at an owned node
  int patch, place, node, cell;
  Vec3 area;
};

/// One entry per patch; `holds(patch, place)`: whether the patch prescribes the temperature of this node. Without
/// shared nodes only `of_node` is filled.
std::vector<SharedNodeFlux> shared_node_fluxes(const LocalMesh& mesh, const std::vector<PatchNodes>& patches,
                                               const std::function<bool(int patch, int place)>& holds) {
  std::vector<SharedNodeFlux> shares(patches.size());
  std::vector<Corner> corners;
  std::vector<real> total(mesh.owned<Node>(), 0);
  for (int p = 0; p < static_cast<int>(patches.size()); ++p) {
    shares[p].of_node.assign(patches[p].node.size(), 0);
    for (const PatchNodes::Side& side : patches[p].sides) {
      const BoundaryFace& b = mesh.boundary()[side.boundary_face];
      const Vec3 area = inward_area(mesh, b);
      for (int k = 0; k < mesh.dimension(); ++k) {
        const int place = side.place[k];
        if (place < 0 || !holds(p, place)) continue;
        const Corner& corner = corners.emplace_back(Corner{p, place, patches[p].node[place], b.cell, area});
        shares[p].of_node[place] += norm(corner.area);
        total[corner.node] += norm(corner.area);
      }
    }
  }
  // The patches at each node with their shares of its reaction.
  struct Part {
    int patch;
    real share;
  };
  std::vector<std::vector<Part>> parts(mesh.owned<Node>());
  for (int p = 0; p < static_cast<int>(patches.size()); ++p) {
    for (std::size_t k = 0; k < patches[p].node.size(); ++k) {
      real& share = shares[p].of_node[k];
      if (share == 0) continue;
      share /= total[patches[p].node[k]];
      parts[patches[p].node[k]].push_back({p, share});
    }
  }
  const auto add = [&](int patch, int cell, const Vec3& weight) {
    shares[patch].cell.push_back(cell);
    shares[patch].weight.push_back(weight);
  };
  for (const Corner& corner : corners) {
    if (parts[corner.node].size() < 2) continue;
    add(corner.patch, corner.cell, corner.area);
    for (const Part& other : parts[corner.node]) add(other.patch, corner.cell, -other.share * corner.area);
  }
  return shares;
}

}  // namespace

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
