#include "physics/linear_velocity.hpp"

#include "field/assign.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/interpolation.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Of a corner of a boundary face the velocity, from those in the middles of its edges, between which it is linear.
std::array<real, 3> weights_of_corner(std::size_t corner) {
  std::array<real, 3> weights{};
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const auto [p, q] = triangle_edge_ends[edge];
    weights[edge] = p == corner || q == corner ? 1 : -1;
  }
  return weights;
}

}  // namespace

LinearVelocity::LinearVelocity(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : moments_(mesh), at_nodes_(mesh), in_cells_(mesh), along_duals_(mesh) {
  const MeshPart& part = mesh.part();
  const int nodes = mesh.owned<Node>();
  std::vector<std::vector<Corner>> corners(nodes);
  for (const int i : in_order_of_faces(mesh)) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (!boundaries.velocity(b.patch)) continue;
    const std::span<const int> of_face = part.face_nodes_of(b.face);
    for (std::size_t k = 0; k < of_face.size(); ++k) {
      if (of_face[k] >= nodes) continue;
      corners[of_face[k]].push_back({static_cast<std::size_t>(i), norm(b.outward_area), weights_of_corner(k)});
    }
  }
  std::vector<int> given, others;
  for (int n = 0; n < nodes; ++n) {
    if (!corners[n].empty()) {
      given.push_back(n);
      corners_.push_back(std::move(corners[n]));
    } else {
      others.push_back(n);
    }
  }
  means_ = NodeMeans(mesh, others);
  planes_ = SymmetryPlanes<Node>(mesh, boundaries, others);
  given_nodes_ = DeviceArray<int>(given);
  given_ = DeviceArray<Vec3>(given.size());
}

void LinearVelocity::set(std::span<const Vec3> velocity) {
  std::vector<Vec3> values;
  for (const std::vector<Corner>& corners : corners_) {
    Vec3 sum;
    real area = 0;
    for (const Corner& corner : corners) {
      for (std::size_t k = 0; k < 3; ++k) sum += corner.area * corner.weight[k] * velocity[3 * corner.face + k];
      area += corner.area;
    }
    values.push_back(sum / area);
  }
  given_.from_host(values);
  const int* const node = given_nodes_.data();
  const Vec3* const given = given_.data();
  const auto u = at_nodes_.view();
  forall(
      static_cast<int>(given_nodes_.size()), SOLENOID_KERNEL(int k) { u[Index<Node>{node[k]}] = given[k]; });
}

void LinearVelocity::add_circulation(Exchanged<Cell, Vec3> velocity, const Field<Edge>& circulation,
                                     Field<Edge>& of_means) {
  means_.find(velocity, at_nodes_);
  planes_.take_off_normal(at_nodes_);
  moments_.find(halo(at_nodes_), in_cells_);
  integrate(halo(in_cells_), along_duals_);
  of_means = circulation + of_means.mesh().R * halo(along_duals_);
}

}  // namespace solenoid
