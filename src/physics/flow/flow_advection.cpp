#include "physics/flow/flow_advection.hpp"

#include <algorithm>
#include <numeric>

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Sorted by global id, so that means over them do not depend on the partition.
std::vector<int> faces_in_order(const WideHaloMesh& wide) {
  const std::vector<std::int64_t>& id = wide.faces.numbering().global_id;
  std::vector<int> faces(static_cast<std::size_t>(wide.part.faces()));
  std::iota(faces.begin(), faces.end(), 0);
  std::sort(faces.begin(), faces.end(), [&](int a, int b) { return id[a] < id[b]; });
  return faces;
}

}  // namespace

FlowAdvection::InPlane::InPlane(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries)
    : fit(mesh, wide, boundaries), walls(wide, boundaries, faces_in_order(wide)) {
  std::vector<std::vector<WallCorner>> at_node(static_cast<std::size_t>(mesh.owned<Node>()));
  for (const int f : faces_in_order(wide)) {
    if (walls.place(f) < 0) continue;
    const std::span<const int> ends = wide.part.face_nodes_of(f), points = wide.part.face_points_of(f);
    for (std::size_t k = 0; k < ends.size(); ++k) {
      if (ends[k] < mesh.owned<Node>())
        at_node[static_cast<std::size_t>(ends[k])].push_back({walls.place(f), points[k]});
    }
  }
  for (std::size_t n = 0; n < at_node.size(); ++n) {
    if (at_node[n].empty()) continue;
    nodes.push_back(static_cast<int>(n));
    corners.push_back(std::move(at_node[n]));
  }
  given_nodes = DeviceArray<int>(nodes);
  given = DeviceArray<Vec3>(nodes.size());
}

/// Samples the velocities of walls and inlets at `time` [s]; `again`: they may have changed.
void FlowAdvection::InPlane::sample(real time, bool again) {
  if (is_sampled && !again) return;
  fit.sample(time);
  walls.sample(time);
  std::vector<Vec3> velocity;
  for (const std::vector<WallCorner>& at : corners) velocity.push_back(walls.mean_at(at));
  given.from_host(velocity);
  is_sampled = true;
}

FlowAdvection::FlowAdvection(FlowStep& flow, const WideHaloMesh& wide, VelocityReconstruction& fit)
    : flow_(flow), fit_(fit) {
  if (flow.mesh().dimension() == 2) in_plane_.emplace(flow.mesh(), wide, flow.boundaries());
}

Exchanged<Node, NodeVelocity> FlowAdvection::velocity(Field<Node, NodeVelocity>& nodes) {
  const Field<Face>& flux = flow_.state().flux;
  if (!in_plane_) return fit_.fit(flux, flow_.time(), nodes);
  flow_.mesh().comm().guard([&] { in_plane_->sample(flow_.time(), flow_.boundaries().velocity_depends_on_time()); });
  const auto plane = in_plane_->fit.fit(flux).view();
  const auto result = nodes.view();
  forall(
      nodes.owned(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        const PlaneVelocity& u = plane[n];
        result[n] = {u.value(), {u.change({1, 0, 0}), u.change({0, 1, 0}), {}}};
      });
  const int* const given_nodes = in_plane_->given_nodes.data();
  const Vec3* const given = in_plane_->given.data();
  forall(
      static_cast<int>(in_plane_->nodes.size()),
      SOLENOID_KERNEL(int k) { result[Index<Node>{given_nodes[k]}].value = given[k]; });
  return halo(nodes);
}

}  // namespace solenoid
