#include "physics/flow/momentum/surface_gradient.hpp"

#include <algorithm>

#include "operators/boundary_circulation.hpp"
#include "parallel/reduce_later.hpp"

namespace solenoid {

namespace {

/// Per place: -e_z at the start of a side and e_z at its end, with the fluid on the left, since (n x grad) x u is the
/// derivative of e_z x u along it; for a triangle its edges, counter-clockwise about n.
std::vector<Vec3> arms_of_face(const MeshPart& part, const BoundaryFace& b) {
  const std::span<const int> points = part.face_points_of(b.face);
  if (part.dimension == 2) {
    const real end = b.orientation > 0 ? 1 : -1;  // the face's own normal is to its right
    return {Vec3{0, 0, -end}, Vec3{0, 0, end}};
  }
  std::vector<Vec3> arms;
  const Vec3 x[3] = {part.points[points[0]], part.points[points[1]], part.points[points[2]]};
  const real sense = dot(cross(x[1] - x[0], x[2] - x[0]), b.outward_area) > 0 ? 1 : -1;
  for (const auto [p, q] : triangle_edge_ends) arms.push_back(((q - p == 1 ? 1 : -1) * sense) * (x[q] - x[p]));
  return arms;
}

bool follows_fluid(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  for (std::size_t p = 0; p < mesh.part().patches.size(); ++p) {
    if (!boundaries.velocity(static_cast<int>(p))) return true;
  }
  return false;
}

/// Integral of (n x grad) x u over a face.
SOLENOID_HD Vec3 around(const Vec3* arm, const Vec3* velocity, int first, int count) {
  Vec3 sum{};
  for (int k = first; k < first + count; ++k) sum += cross(arm[k], velocity[k]);
  return sum;
}

}  // namespace

SurfaceGradient::SurfaceGradient(const LocalMesh& mesh, const FlowBoundaries& boundaries, const MemoryOf& /*scope*/)
    : mesh_(mesh) {
  const MeshPart& part = mesh.part();
  const auto per_face = static_cast<std::size_t>(part.dimension);
  if (follows_fluid(mesh, boundaries)) open_.emplace(mesh);
  std::vector<Vec3> arms;
  std::vector<int> places, edges, wanted;
  std::vector<char> is_wanted(mesh.owned<Edge>(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(mesh.boundary().size()); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    const std::vector<Vec3> of_face = arms_of_face(part, b);
    const std::span<const int> edges_there = edges_of_face(part, b.face);
    for (std::size_t k = 0; k < per_face; ++k) {
      const int e = edges_there[k];
      const bool is_open = !boundaries.velocity(b.patch);
      if (is_open && e < mesh.owned<Edge>()) is_wanted[e] = 1;
      if (!b.is_owned) continue;
      if (is_open) places.push_back(static_cast<int>(sources_.size())), edges.push_back(e);
      sources_.push_back(per_face * i + k);
      arms.push_back(of_face[k]);
    }
  }
  arm_ = DeviceArray<Vec3>(arms);
  velocity_ = DeviceArray<Vec3>(arms.size());
  if (!open_) return;

  std::vector<std::vector<std::size_t>> sources(mesh.owned<Edge>());
  for (const int i : in_order_of_faces(mesh)) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (!boundaries.velocity(b.patch)) continue;
    const std::span<const int> edges_there = edges_of_face(part, b.face);
    for (std::size_t k = 0; k < per_face; ++k) {
      if (edges_there[k] < mesh.owned<Edge>() && is_wanted[edges_there[k]]) {
        sources[edges_there[k]].push_back(per_face * static_cast<std::size_t>(i) + k);
      }
    }
  }
  for (int e = 0; e < mesh.owned<Edge>(); ++e) {
    if (!is_wanted[e]) continue;
    if (sources[e].empty()) {
      wanted.push_back(e);
    } else {
      open_->given.push_back(e);
      open_->sources.push_back(std::move(sources[e]));
    }
  }
  open_->place = DeviceArray<int>(places);
  open_->edge = DeviceArray<int>(edges);
  open_->given_edge = DeviceArray<int>(open_->given);
  open_->given_velocity = DeviceArray<Vec3>(open_->given.size());
  open_->means = MeansAround<Edge>(mesh, wanted);
  open_->planes = SymmetryPlanes<Edge>(mesh, boundaries, wanted);
}

void SurfaceGradient::set(std::span<const Vec3> velocity) {
  std::vector<Vec3> values;
  for (const std::size_t source : sources_) values.push_back(velocity[source]);
  velocity_.from_host(values);
  if (!open_) return;
  values.clear();
  for (const std::vector<std::size_t>& sources : open_->sources) {
    Vec3 sum;
    for (const std::size_t source : sources) sum += velocity[source];
    values.push_back(sum / static_cast<real>(sources.size()));
  }
  open_->given_velocity.from_host(values);
}

void SurfaceGradient::update(Field<Cell, Vec3>& velocity) {
  if (!open_) return;
  open_->means.compute(halo(velocity), open_->velocity);
  open_->planes.remove_normal(open_->velocity);
  const auto u = open_->velocity.view();
  const int* const given_edge = open_->given_edge.data();
  const Vec3* const given = open_->given_velocity.data();
  forall(
      static_cast<int>(open_->given_edge.size()), SOLENOID_KERNEL(int i) { u[Index<Edge>{given_edge[i]}] = given[i]; });
  const auto at_edges = halo(open_->velocity).view();
  const int *const place = open_->place.data(), *const edge = open_->edge.data();
  Vec3* const of_faces = velocity_.data();
  forall(
      static_cast<int>(open_->place.size()),
      SOLENOID_KERNEL(int i) { of_faces[place[i]] = at_edges[Index<Edge>{edge[i]}]; });
}

void SurfaceGradient::add_to(real factor, BoundaryField<Vec3>& stress) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const Vec3 *const arm = arm_.data(), *const u = velocity_.data();
  Vec3* const result = stress.data();
  const int count = mesh_.dimension();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        result[faces.place[i]] += (factor / norm(faces.outward_area[i])) * around(arm, u, count * i, count);
      });
}

PendingSums<1> SurfaceGradient::power(real factor) const {
  const Vec3 *const arm = arm_.data(), *const u = velocity_.data();
  const int count = mesh_.dimension();
  return begin_sum(
      mesh_.boundary().owned().count, SOLENOID_KERNEL(int i) {
        Vec3 mean{};
        for (int k = count * i; k < count * (i + 1); ++k) mean += u[k] / count;
        return factor * dot(mean, around(arm, u, count * i, count));
      });
}

}  // namespace solenoid
