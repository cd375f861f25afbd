#include "operators/boundary_circulation.hpp"

#include "base/error.hpp"
#include "operators/open_velocity.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

BoundaryCirculation::BoundaryCirculation(const LocalMesh& mesh, const std::vector<char>& is_open) : field_(mesh) {
  require_on_all_ranks(
      mesh.dimension() == 2,
      [] {
        return "the circulation along the boundary is taken around the nodes of triangles: found a mesh of tetrahedra, "
               "expected one of triangles";
      },
      ExitCode::bad_input);
  const MeshPart& part = mesh.part();
  std::vector<int> place(mesh.owned<Node>(), -1);
  std::vector<Vec3> along;
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const std::span<const int> nodes = part.face_nodes_of(mesh.boundary()[i].face);
    const std::span<const int> ends = part.face_points_of(mesh.boundary()[i].face);
    const Vec3 step = part.points[ends[1]] - part.points[ends[0]];
    const bool fluid_on_left = mesh.boundary()[i].orientation > 0;  // for the normal is to the right of the step
    along.push_back(fluid_on_left ? step : -step);
    along_.push_back(is_open.empty() || !is_open[i] ? along.back() : Vec3{});
    for (int end = 0; end < 2; ++end) {
      const int n = nodes[end];
      if (n >= mesh.owned<Node>()) continue;
      if (place[n] < 0) {
        place[n] = static_cast<int>(nodes_.size());
        nodes_.push_back(n);
        ends_.emplace_back();
      }
      ends_[place[n]].push_back({i, end});
    }
  }
  device_nodes_ = DeviceArray<int>(nodes_);
  device_values_ = DeviceArray<real>(nodes_.size());

  std::vector<int> offset{0}, behind;
  std::vector<Vec3> along_open;
  for (const std::vector<End>& ends : ends_) {
    for (const auto [face, end] : ends) {
      if (is_open.empty() || !is_open[face]) continue;
      behind.push_back(opposite_node(part, mesh.boundary()[face]));
      along_open.push_back(along[face]);
    }
    offset.push_back(static_cast<int>(behind.size()));
  }
  open_offset_ = DeviceArray<int>(offset);
  open_behind_ = DeviceArray<int>(behind);
  open_along_ = DeviceArray<Vec3>(along_open);
}

void BoundaryCirculation::set(std::span<const std::array<Vec3, 2>> end_velocity) {
  require(end_velocity.size() == along_.size(), [&] {
    return message("{} boundary velocities were given for {} boundary faces", end_velocity.size(), along_.size());
  });
  std::vector<real> values;
  for (const std::vector<End>& ends : ends_) {
    real sum = 0;
    for (const auto [face, end] : ends)
      sum += dot(end_velocity[face][end] / 3 + end_velocity[face][1 - end] / 6, along_[face]);
    values.push_back(sum);
  }
  device_values_.from_host(values);
  const auto b = field_.view();
  const int* const node = device_nodes_.data();
  const real* const value = device_values_.data();
  forall(
      static_cast<int>(nodes_.size()), SOLENOID_KERNEL(int k) { b[Index<Edge>{node[k]}] = value[k]; });
}

void BoundaryCirculation::update(Exchanged<Node, Vec3> behind) {
  const auto u = behind.view();
  const auto b = field_.view();
  const int *const node = device_nodes_.data(), *const offset = open_offset_.data(),
                   *const opposite = open_behind_.data();
  const real* const value = device_values_.data();
  const Vec3* const along = open_along_.data();
  forall(
      static_cast<int>(nodes_.size()), SOLENOID_KERNEL(int k) {
        real sum = value[k];
        for (int e = offset[k]; e < offset[k + 1]; ++e) sum += dot(u[Index<Node>{opposite[e]}], along[e]) / 2;
        b[Index<Edge>{node[k]}] = sum;
      });
}

}  // namespace solenoid
