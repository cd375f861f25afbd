#include "operators/boundary_circulation.hpp"

#include "base/error.hpp"
#include "operators/means.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Weights of a side, by node and place: the integral of u.t times the function that is 1 at the node and 0 at the
/// other end.
std::array<std::array<Vec3, 3>, 3> weights_of_side(const MeshPart& part, const BoundaryFace& b) {
  const std::span<const int> points = part.face_points_of(b.face);
  const Vec3 step = part.points[points[1]] - part.points[points[0]];
  const Vec3 along = b.orientation > 0 ? step : -step;  // the face's own normal is to the right of the step
  return {{{along / 3, along / 6}, {along / 6, along / 3}}};
}

/// Weights of a triangle, by edge and place: A/3 phi x n there, because (n x u).phi = u.(phi x n). Tangentially phi_ab
/// is lambda_a grad(lambda_b) - lambda_b grad(lambda_a) with in-plane gradients; lambda is 1/2 at both ends of the edge
/// whose midpoint is the place.
std::array<std::array<Vec3, 3>, 3> weights_of_triangle(const MeshPart& part, const BoundaryFace& b) {
  const std::span<const int> nodes = part.face_nodes_of(b.face), edges = part.face_edges_of(b.face);
  const std::array<Vec3, 3> gradient = triangle_gradients(part, b.face);
  std::array<std::array<Vec3, 3>, 3> weights;
  for (std::size_t e = 0; e < 3; ++e) {
    const auto [a, c] = triangle_edge_ends[e];
    const real sign = part.edge_nodes_of(edges[e])[0] == nodes[a] ? real{1} : real{-1};
    for (std::size_t place = 0; place < 3; ++place) {
      const auto [p, q] = triangle_edge_ends[place];
      const real of_a = a == p || a == q ? real{0.5} : real{0}, of_c = c == p || c == q ? real{0.5} : real{0};
      weights[e][place] = (sign / 3) * cross(of_a * gradient[c] - of_c * gradient[a], b.outward_area);
    }
  }
  return weights;
}

}  // namespace

std::span<const int> edges_of_face(const MeshPart& part, int face) {
  return part.dimension == 2 ? part.face_nodes_of(face) : part.face_edges_of(face);
}

std::array<Vec3, 3> triangle_gradients(const MeshPart& part, int face) {
  const std::span<const int> points = part.face_points_of(face);
  std::array<Vec3, 3> x, gradient;
  for (std::size_t k = 0; k < 3; ++k) x[k] = part.points[points[k]];
  const Vec3 twice_area = cross(x[1] - x[0], x[2] - x[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    gradient[k] = cross(twice_area, x[(k + 2) % 3] - x[(k + 1) % 3]) / dot(twice_area, twice_area);
  }
  return gradient;
}

std::vector<Vec3> boundary_places(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  std::vector<Vec3> places;
  for (const BoundaryFace& b : mesh.boundary()) {
    const std::span<const int> points = part.face_points_of(b.face);
    if (part.dimension == 2) {
      for (const int point : points) places.push_back(part.points[point]);
    } else {
      for (const auto [p, q] : triangle_edge_ends)
        places.push_back((part.points[points[p]] + part.points[points[q]]) / 2);
    }
  }
  return places;
}

BoundaryCirculation::BoundaryCirculation(const LocalMesh& mesh, const std::vector<char>& is_open,
                                         const MemoryOf& /*scope*/)
    : places_(static_cast<std::size_t>(mesh.dimension())), is_open_(is_open), field_(mesh) {
  const MeshPart& part = mesh.part();
  is_open_.resize(static_cast<std::size_t>(mesh.boundary().size()), 0);
  std::vector<int> place_of(mesh.owned<Edge>(), -1);
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    const auto weights = part.dimension == 2 ? weights_of_side(part, b) : weights_of_triangle(part, b);
    const std::span<const int> edges = edges_of_face(part, b.face);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (edges[k] >= mesh.owned<Edge>()) continue;
      int& place = place_of[edges[k]];
      if (place < 0) {
        place = static_cast<int>(edges_.size());
        edges_.push_back(edges[k]);
        shares_.emplace_back();
      }
      shares_[place].push_back({i, weights[k]});
    }
  }
  device_edges_ = DeviceArray<int>(edges_);
  device_values_ = DeviceArray<real>(edges_.size());

  std::vector<int> offset{0}, behind;
  std::vector<Vec3> of_open;
  for (const std::vector<Share>& shares : shares_) {
    for (const Share& share : shares) {
      if (!is_open_[share.face]) continue;
      behind.push_back(opposite_node(part, mesh.boundary()[share.face]));
      of_open.push_back(share.weight[0] + share.weight[1] + share.weight[2]);
    }
    offset.push_back(static_cast<int>(behind.size()));
  }
  open_offset_ = DeviceArray<int>(offset);
  open_behind_ = DeviceArray<int>(behind);
  open_weight_ = DeviceArray<Vec3>(of_open);
}

void BoundaryCirculation::set(std::span<const Vec3> velocity) {
  require(velocity.size() == places_ * is_open_.size(), [&] {
    return message("{} boundary velocities were given for {} boundary faces, of which each has {}", velocity.size(),
                   is_open_.size(), places_);
  });
  std::vector<real> values;
  for (const std::vector<Share>& shares : shares_) {
    real sum = 0;
    for (const Share& share : shares) {
      if (is_open_[share.face]) continue;
      const std::span<const Vec3> there = velocity.subspan(places_ * static_cast<std::size_t>(share.face), places_);
      for (std::size_t k = 0; k < places_; ++k) sum += dot(there[k], share.weight[k]);
    }
    values.push_back(sum);
  }
  device_values_.from_host(values);
  const auto b = field_.view();
  const int* const edge = device_edges_.data();
  const real* const value = device_values_.data();
  forall(
      static_cast<int>(edges_.size()), SOLENOID_KERNEL(int k) { b[Index<Edge>{edge[k]}] = value[k]; });
}

void BoundaryCirculation::update(Exchanged<Node, Vec3> behind) {
  const auto u = behind.view();
  const auto b = field_.view();
  const int *const edge = device_edges_.data(), *const offset = open_offset_.data(),
                   *const opposite = open_behind_.data();
  const real* const value = device_values_.data();
  const Vec3* const weight = open_weight_.data();
  forall(
      static_cast<int>(edges_.size()), SOLENOID_KERNEL(int k) {
        real sum = value[k];
        for (int e = offset[k]; e < offset[k + 1]; ++e) sum += dot(u[Index<Node>{opposite[e]}], weight[e]);
        b[Index<Edge>{edge[k]}] = sum;
      });
}

}  // namespace solenoid
