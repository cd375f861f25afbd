#include "physics/flow/boundary/entering_share.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "mesh/csr.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

EnteringShare::EnteringShare(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  const MeshPart& part = mesh.part();
  const auto owned = static_cast<std::size_t>(mesh.owned<Node>());
  std::vector<real> outward(static_cast<std::size_t>(part.faces()), 0), mark(owned, 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!boundaries.outlet(b.patch)) continue;
    outward[b.face] = static_cast<real>(b.orientation);
    for (const int n : part.face_nodes_of(b.face)) {
      if (n < mesh.owned<Node>()) mark[n] = 1;
    }
  }
  std::vector<int> nodes, near, faces;
  for (std::size_t n = 0; n < owned; ++n) {
    if (mark[n] > 0) nodes.push_back(static_cast<int>(n));
  }
  if (mesh.comm().sum(static_cast<std::int64_t>(nodes.size())) == 0) return;
  on_outlets_.emplace(mesh, mark);
  halo(*on_outlets_);
  const std::vector<real> is_on_outlet = on_outlets_->all_to_host();
  const Csr<int> outlets_at(static_cast<int>(owned), [&](const auto& visit) {
    for (const int n : nodes) visit(n, n);
    for (int f = 0; f < part.faces(); ++f) {
      const std::span<const int> ends = part.face_nodes_of(f);
      for (const auto& [n, other] : {std::pair(ends[0], ends[1]), std::pair(ends[1], ends[0])}) {
        if (n < mesh.owned<Node>() && is_on_outlet[other] > 0) visit(n, other);
      }
    }
  });
  std::vector<int> begin{0}, outlets;
  for (int n = 0; n < outlets_at.rows(); ++n) {
    if (outlets_at[n].empty()) continue;
    mark[n] = 1;
    near.push_back(n);
    outlets.insert(outlets.end(), outlets_at[n].begin(), outlets_at[n].end());
    begin.push_back(static_cast<int>(outlets.size()));
  }
  shares_.emplace(mesh, mark);
  halo(*shares_);
  const std::vector<real> is_near = shares_->all_to_host();
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const std::span<const int> ends = part.face_nodes_of(f);
    if (is_near[ends[0]] + is_near[ends[1]] > 0) faces.push_back(f);
  }
  outward_ = DeviceArray<real>(outward);
  nodes_ = DeviceArray<int>(nodes);
  near_ = DeviceArray<int>(near);
  begin_ = DeviceArray<int>(begin);
  outlets_ = DeviceArray<int>(outlets);
  faces_ = DeviceArray<int>(faces);
}

Exchanged<Node> EnteringShare::compute(Exchanged<Face> flux) {
  const auto faces = flux.mesh().R.view();
  const auto U = flux.view();
  const auto on_outlets = on_outlets_->view();
  const int* const node = nodes_.data();
  const real* const outward = outward_.data();
  forall(
      static_cast<int>(nodes_.size()), SOLENOID_KERNEL(int k) {
        real enters = 0, passes = 0;
        for (const auto [f, sign, slot] : faces[Index<Edge>{node[k]}]) {
          const real leaving = outward[f.value] * U[f];
          enters += leaving < 0 ? -leaving : 0;
          passes += std::fabs(leaving);
        }
        on_outlets[Index<Node>{node[k]}] = passes > 0 ? enters / passes : 0;
      });
  const auto there = halo(*on_outlets_).view();
  const auto share = shares_->view();
  const int *const near = near_.data(), *const begin = begin_.data(), *const outlets = outlets_.data();
  forall(
      static_cast<int>(near_.size()), SOLENOID_KERNEL(int k) {
        real largest = 0;
        for (int j = begin[k]; j < begin[k + 1]; ++j) {
          const real of_outlet = there[Index<Node>{outlets[j]}];
          largest = of_outlet > largest ? of_outlet : largest;
        }
        share[Index<Node>{near[k]}] = largest;
      });
  return halo(*shares_);
}

}  // namespace solenoid
