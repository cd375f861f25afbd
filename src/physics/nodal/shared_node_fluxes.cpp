#include "physics/nodal/shared_node_fluxes.hpp"

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

}  // namespace

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

}  // namespace solenoid
