#include "model/point_sampler.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {

namespace {

constexpr real tolerance_of_faces = 1e-9;  // of a barycentric coordinate: a point on a face belongs to both cells

/// Barycentric coordinates of x in a cell; those of a point inside are all >= 0.
std::array<real, 4> barycentric(const LocalMesh& mesh, int cell, const Vec3& x) {
  std::array<real, 4> weight{};
  for (int k = 0; k < mesh.part().corners(); ++k) {
    const int opposite = mesh.part().cell_faces_of(cell)[k];
    weight[k] = dot(shape_gradient(mesh.part(), mesh.geometry(), cell, k),
                    x - mesh.geometry().centre_seen(mesh.part(), opposite, cell));
  }
  return weight;
}

}  // namespace

PointSampler::PointSampler(const LocalMesh& mesh, std::vector<Vec3> points, const std::string& what)
    : mesh_(mesh), points_(std::move(points)) {
  find_cells();
  require_inside(what);
  find_nodes();
  set_up_reconstruction();
}

PointSampler::PointSampler(const LocalMesh& mesh, std::vector<Vec3> points) : mesh_(mesh), points_(std::move(points)) {
  find_cells();
  find_nodes();
}

PointSampler PointSampler::in(const LocalMesh& mesh) const {
  PointSampler there(mesh, points_);
  if (has_reconstruction_) there.set_up_reconstruction();
  return there;
}

/// Sorts the points by x, then y: a cell visits only a few points of a row of a picture.
void PointSampler::find_cells() {
  constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();
  const MeshPart& part = mesh_.part();
  const int corners = part.corners();
  std::vector<int> order(points_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const Vec3 &p = points_[a], &q = points_[b];
    return p.x != q.x ? p.x < q.x : p.y < q.y;
  });
  const auto from_place = [&](int i, const Vec3& from) {
    const Vec3& p = points_[i];
    return p.x != from.x ? p.x < from.x : p.y < from.y;
  };

  std::vector<std::int64_t> cell_id(points_.size(), nowhere);
  std::vector<Found> candidate(points_.size());
  for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
    Box box;
    for (const int p : part.cell_points_of(c)) box.include(part.points[p]);
    const Vec3 low = box.low, high = box.high;
    const real slack = tolerance_of_faces * norm(box.size());
    constexpr real last = std::numeric_limits<real>::max();
    auto next = std::lower_bound(order.begin(), order.end(), Vec3{low.x - slack, -last, 0}, from_place);
    while (next != order.end() && points_[*next].x <= high.x + slack) {
      const int i = *next;
      const Vec3& x = points_[i];
      if (x.y < low.y - slack || x.y > high.y + slack) {  // skip to high enough points of this x, or to the next x
        const Vec3 onward{x.x, x.y < low.y - slack ? low.y - slack : last, 0};
        next = std::lower_bound(next + 1, order.end(), onward, from_place);
        continue;
      }
      ++next;
      if (x.z < low.z - slack || x.z > high.z + slack || cell_id[i] != nowhere) {
        continue;  // owned cells have ascending ids: the first one is the lowest
      }
      const std::array<real, 4> weight = barycentric(mesh_, c, x);
      if (*std::min_element(weight.begin(), weight.begin() + corners) < -tolerance_of_faces) continue;
      cell_id[i] = part.cell_numbering.global_id[c];
      candidate[i].point = i;
      candidate[i].cell = c;
      std::copy(weight.begin(), weight.end(), candidate[i].weight);
    }
  }
  std::vector<std::int64_t> lowest = cell_id;
  mesh_.comm().min(std::span<std::int64_t>(lowest));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    is_inside_.push_back(lowest[i] != nowhere);
    if (is_inside_[i] && lowest[i] == cell_id[i]) found_.push_back(candidate[i]);
  }
}

void PointSampler::require_inside(const std::string& what) const {
  const auto first = std::find(is_inside_.begin(), is_inside_.end(), 0);
  if (first == is_inside_.end()) return;
  const auto others = std::count(first + 1, is_inside_.end(), 0);
  const Vec3& x = points_[first - is_inside_.begin()];

  const Comm& comm = mesh_.comm();
  Box box;
  Vec3 nearest;
  real distance = std::numeric_limits<real>::max();
  for (const Vec3& p : mesh_.part().points) {
    box.include(p);
    if (norm(p - x) < distance) distance = norm(p - x), nearest = p;
  }
  const Vec3 low{comm.min(box.low.x), comm.min(box.low.y), comm.min(box.low.z)};
  const Vec3 high{comm.max(box.high.x), comm.max(box.high.y), comm.max(box.high.z)};
  nearest = comm.of_least(distance, nearest);
  throw Error(ExitCode::bad_input,
              message("{}: the point {}{} outside the mesh, which reaches from {} to {} m; its node nearest to the "
                      "point is {}",
                      what, text_of_place(x), others > 0 ? message(" and {} more lie", others) : " lies",
                      text_of_place(low), text_of_place(high), text_of_place(nearest)),
              true);
}

void PointSampler::find_nodes() {
  const MeshPart& part = mesh_.part();
  const int corners = part.corners();
  for (const Found& f : found_) {
    const std::span<const int> nodes = part.cell_nodes_of(f.cell);
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  }
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  for (Found& f : found_) {
    for (int k = 0; k < corners; ++k) {
      const int n = part.cell_nodes_of(f.cell)[k];
      f.node[k] = static_cast<int>(std::lower_bound(nodes_.begin(), nodes_.end(), n) - nodes_.begin());
    }
  }
}

void PointSampler::set_up_reconstruction() {
  has_reconstruction_ = true;
  std::vector<CellFit*> fits;
  for (Found& f : found_) {
    f.fit = {points_[f.point], f.cell};
    fits.push_back(&f.fit);
  }
  fit_around(mesh_, fits);
}

// Values are added to 0, so that a negative zero becomes positive, as it does where other ranks add their zeros.

std::vector<Vec3> PointSampler::velocity(const std::vector<NodeVelocity>& at_nodes) const {
  const MeshPart& part = mesh_.part();
  const int corners = part.corners();
  std::vector<Vec3> result(points_.size());
  for (const Found& f : found_) {
    Vec3 position[4];
    NodeVelocity node[4];
    for (int k = 0; k < corners; ++k) {
      position[k] = part.points[part.cell_points_of(f.cell)[k]];
      node[k] = at_nodes[f.node[k]];
    }
    result[f.point] += interpolate_velocity(corners, position, node, f.weight, points_[f.point]);
  }
  mesh_.comm().sum(std::span<real>(&result.data()->x, 3 * result.size()));
  return result;
}

std::vector<Vec3> PointSampler::vorticity(const std::vector<NodeVelocity>& at_nodes) const {
  std::vector<Vec3> result(points_.size());
  for (const Found& f : found_) {
    for (int k = 0; k < mesh_.part().corners(); ++k) result[f.point] += f.weight[k] * at_nodes[f.node[k]].curl();
  }
  mesh_.comm().sum(std::span<real>(&result.data()->x, 3 * result.size()));
  return result;
}

std::vector<real> PointSampler::linear(const std::vector<real>& at_nodes) const {
  std::vector<real> result(points_.size(), 0);
  for (const Found& f : found_) {
    for (int k = 0; k < mesh_.part().corners(); ++k) result[f.point] += f.weight[k] * at_nodes[f.node[k]];
  }
  mesh_.comm().sum(std::span<real>(result));
  return result;
}

std::vector<Vec3> PointSampler::in_cells(const std::vector<Vec3>& cells) const {
  std::vector<Vec3> result(points_.size());
  for (const Found& f : found_) result[f.point] += cells[f.cell];
  mesh_.comm().sum(std::span<real>(&result.data()->x, 3 * result.size()));
  return result;
}

std::vector<real> PointSampler::in_cells(const std::vector<real>& cells) const {
  std::vector<real> result(points_.size(), 0);
  for (const Found& f : found_) result[f.point] += cells[f.cell];
  mesh_.comm().sum(std::span<real>(result));
  return result;
}

std::vector<real> PointSampler::at_points(const std::vector<real>& cells_with_halo) const {
  std::vector<real> result(points_.size(), 0);
  for (const Found& f : found_) {
    const real here = cells_with_halo[f.cell];
    result[f.point] += here;
    for (std::size_t j = 0; j < f.fit.around.size(); ++j) {
      result[f.point] += f.fit.change[j] * (cells_with_halo[f.fit.around[j]] - here);
    }
  }
  mesh_.comm().sum(std::span<real>(result));
  return result;
}

}  // namespace solenoid
