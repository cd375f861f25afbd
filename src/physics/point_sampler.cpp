#include "physics/point_sampler.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"

namespace solenoid {

namespace {

constexpr real tolerance = 1e-9;  // of a barycentric coordinate: a point on a face belongs to both cells

/// Barycentric coordinates of x in a cell; those of a point inside are all >= 0.
std::array<real, 4> barycentric(const LocalMesh& mesh, int cell, const Vec3& x) {
  std::array<real, 4> weight{};
  for (int k = 0; k < mesh.part().corners(); ++k) {
    const int opposite = mesh.part().cell_faces[cell * mesh.part().corners() + k];
    weight[k] = dot(shape_gradient(mesh.part(), mesh.geometry(), cell, k), x - mesh.geometry().face_centre[opposite]);
  }
  return weight;
}

}  // namespace

PointSampler::PointSampler(const LocalMesh& mesh, std::vector<Vec3> points, const std::string& what)
    : mesh_(mesh), points_(std::move(points)) {
  constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<std::int64_t> cell_id(points_.size(), nowhere);
  std::vector<Found> candidate(points_.size());
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    Vec3 low = part.points[part.cell_nodes[c * corners]], high = low;
    for (int k = 1; k < corners; ++k) {
      const Vec3& p = part.points[part.cell_nodes[c * corners + k]];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const real slack = tolerance * norm(high - low);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3& x = points_[i];
      if (x.x < low.x - slack || x.x > high.x + slack || x.y < low.y - slack || x.y > high.y + slack ||
          x.z < low.z - slack || x.z > high.z + slack || cell_id[i] != nowhere) {
        continue;  // owned cells ascend in their ids: the first one found is the lowest
      }
      const std::array<real, 4> weight = barycentric(mesh, c, x);
      if (*std::min_element(weight.begin(), weight.begin() + corners) < -tolerance) continue;
      cell_id[i] = part.cell_numbering.global_id[c];
      candidate[i] = {static_cast<int>(i), c, {weight[0], weight[1], weight[2], weight[3]}};
    }
  }
  std::vector<std::int64_t> lowest = cell_id;
  mesh.comm().min(std::span<std::int64_t>(lowest));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (lowest[i] == nowhere) {
      throw Error(ExitCode::bad_input,
                  message("{}: the point ({:.6g}, {:.6g}, {:.6g}) lies outside the mesh", what, points_[i].x,
                          points_[i].y, points_[i].z),
                  true);
    }
    if (lowest[i] == cell_id[i]) found_.push_back(candidate[i]);
  }
}

std::vector<Vec3> PointSampler::velocity(const std::vector<NodeVelocity>& nodes_with_halo) const {
  const MeshPart& part = mesh_.part();
  const int corners = part.corners();
  std::vector<real> values(3 * points_.size(), 0);
  for (const Found& f : found_) {
    Vec3 position[4];
    NodeVelocity node[4];
    for (int k = 0; k < corners; ++k) {
      const int n = part.cell_nodes[f.cell * corners + k];
      position[k] = part.points[n];
      node[k] = nodes_with_halo[n];
    }
    const Vec3 u = interpolate_velocity(corners, position, node, f.weight, points_[f.point]);
    values[3 * f.point] = u.x, values[3 * f.point + 1] = u.y, values[3 * f.point + 2] = u.z;
  }
  mesh_.comm().sum(std::span<real>(values));
  std::vector<Vec3> result(points_.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return result;
}

}  // namespace solenoid
