#include "physics/flow/step/recycled_planes.hpp"

#include "base/error.hpp"

namespace solenoid {

RecycledPlanes::RecycledPlanes(const LocalMesh& mesh, const WideHaloMesh* wide, const FlowBoundaries& boundaries) {
  const std::vector<std::string>& patches = mesh.part().patches;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    RecycledInflow* const inflow = recycled_inflow(boundaries.on(static_cast<int>(p)));
    if (!inflow) continue;
    require(wide, [] { return "an inlet that recycles needs a mesh with a wide halo"; });
    if (!velocity_) velocity_.emplace(mesh, *wide, boundaries);
    planes_.push_back(std::make_unique<Plane>(*inflow, *velocity_, patches[p]));
  }
}

void RecycledPlanes::take(const Field<Face>& flux, real now, real end) {
  for (const auto& plane : planes_) plane->inflow.take(plane->fit.fit(flux, now), now, end);
}

void RecycledPlanes::visit_state(StateVisitor& visitor) {
  for (const auto& plane : planes_) plane->inflow.visit_state(plane->name, visitor);
}

}  // namespace solenoid
