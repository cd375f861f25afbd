#include "physics/flow/boundary/patch_flows.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

PatchFlows::PatchFlows(const LocalMesh& mesh, const FlowBoundaries& boundaries) : comm_(mesh.comm()) {
  std::vector<std::vector<int>> faces(mesh.part().patches.size());
  std::vector<std::vector<real>> outward(faces.size());
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned) continue;
    faces[b.patch].push_back(b.face);
    outward[b.patch].push_back(b.orientation);
  }
  for (int p = 0; p < static_cast<int>(faces.size()); ++p) {
    if (!boundaries.outlet(p) && !boundaries.lets_given_flux_pass(p)) continue;
    patches_.push_back(p);
    faces_.push_back({DeviceArray<int>(faces[p]), DeviceArray<real>(outward[p])});
  }
}

std::vector<PatchFlow> PatchFlows::through(const Field<Face>& flux) const {
  if (faces_.empty()) return {};
  std::vector<PartialSum> parts;
  const auto U = flux.view();
  for (const Faces& of_patch : faces_) {
    const int* const face = of_patch.face.data();
    const real* const outward = of_patch.outward.data();
    const PartialSums<2> both = reduce_sums<2>(
        static_cast<int>(of_patch.face.size()), SOLENOID_KERNEL(int k) {
          const real out = outward[k] * U[Index<Face>{face[k]}];
          return Sums<2>{{out > 0 ? out : 0, out < 0 ? -out : 0}};
        });
    parts.insert(parts.end(), both.begin(), both.end());
  }
  const std::vector<real> sums = totals(comm_, parts);
  std::vector<PatchFlow> flows;
  for (std::size_t k = 0; k < sums.size(); k += 2) flows.push_back({sums[k], sums[k + 1]});
  return flows;
}

real share_entering(const PatchFlow& flow, real whole) {
  constexpr real negligible = 1e-9;
  const real passing = flow.leaving + flow.entering;
  return passing > negligible * whole ? flow.entering / passing : 0;
}

}  // namespace solenoid
