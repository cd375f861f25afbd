#include "physics/waves/relaxation_zone.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/partial_sum.hpp"
#include "parallel/backend.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

namespace {

/// The ends of all faces of these patches, on every rank, one after the other. Collective.
std::vector<Vec3> ends_of_faces(const LocalMesh& mesh, const std::vector<int>& patches) {
  std::vector<real> own;
  for (const BoundaryFace& face : mesh.boundary()) {
    if (!face.is_owned || std::find(patches.begin(), patches.end(), face.patch) == patches.end()) continue;
    for (const int n : mesh.part().face_points_of(face.face)) {
      own.push_back(mesh.part().points[n].x), own.push_back(mesh.part().points[n].y);
    }
  }
  const std::vector<std::int64_t> counts = mesh.comm().gather(static_cast<std::int64_t>(own.size()));
  std::size_t all = 0, before = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (rank == static_cast<std::size_t>(mesh.comm().rank())) before = all;
    all += static_cast<std::size_t>(counts[rank]);
  }
  std::vector<real> shared(all, 0);
  std::copy(own.begin(), own.end(), shared.begin() + static_cast<std::ptrdiff_t>(before));
  mesh.comm().sum(shared);  // with zeros
  std::vector<Vec3> ends;
  for (std::size_t i = 0; i + 1 < all; i += 2) ends.push_back({shared[i], shared[i + 1], 0});
  return ends;
}

real distance_to(const std::vector<Vec3>& ends, const Vec3& x) {
  real least = std::numeric_limits<real>::infinity();
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    const Vec3 along = ends[i + 1] - ends[i], arm = x - ends[i];
    const real share = std::clamp(dot(arm, along) / dot(along, along), real{0}, real{1});
    const Vec3 apart = arm - share * along;
    least = std::min(least, dot(apart, apart));
  }
  return std::sqrt(least);
}

/// The mean depth of the cells whose centres are within `width` of the faces [m]. Collective.
real depth_within(const LocalMesh& mesh, const std::vector<Vec3>& ends, real width, const std::vector<real>& depth) {
  PartialSums<2> sums;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    if (distance_to(ends, mesh.geometry().cell_centre[c]) > width) continue;
    const real area = mesh.geometry().cell_volume[c];
    sums[0] += area, sums[1] += area * depth[c];
  }
  const Sums<2> all = totals(mesh.comm(), sums);
  return all[0] > 0 ? all[1] / all[0] : 0;
}

}  // namespace

RelaxationZone::RelaxationZone(const LocalMesh& mesh, const ZoneSettings& settings, const Sea& sea,
                               const std::vector<real>& depth)
    : gravity_(sea.gravity) {
  constexpr real usual_strength = 0.7;
  const std::vector<Vec3> ends = ends_of_faces(mesh, settings.patches);
  std::vector<int> node;
  std::vector<real> strength;
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    const real inward = 1 - distance_to(ends, mesh.part().points[n]) / settings.width;
    if (!(inward > 0)) continue;
    node.push_back(n);
    strength.push_back(usual_strength * sea.frequency * inward * inward);
  }
  const real h = depth_within(mesh, ends, settings.width, depth);
  if (h > 0) waves_ = settings.waves;  // or else it is narrower than a cell
  std::vector<real> cosine, sine;
  for (const IncomingWave& wave : waves_) {
    const real number = model_wave(wave.frequency, h, sea.gravity, integrals_of(sea, h)).number;
    for (const int n : node) {
      const real phase = number * dot(wave.direction, mesh.part().points[n]) + wave.phase;
      cosine.push_back(std::cos(phase)), sine.push_back(std::sin(phase));
    }
  }
  node_ = DeviceArray<int>(node), strength_ = DeviceArray<real>(strength);
  cosine_ = DeviceArray<real>(cosine), sine_ = DeviceArray<real>(sine);
  now_ = DeviceArray<real>(std::vector<real>(4 * waves_.size(), 0));
}

/// With the phases p at t = 0: cos(p - w t) and sin(p - w t) by the sums of angles.
void RelaxationZone::sample(real time, Field<Node>& elevation, Field<Node>& potential) const {
  std::vector<real> factors;
  for (const IncomingWave& wave : waves_) {
    const real c = std::cos(wave.frequency * time), s = std::sin(wave.frequency * time),
               of_potential = gravity_ / wave.frequency * wave.amplitude;
    factors.insert(factors.end(), {wave.amplitude * c, wave.amplitude * s, of_potential * c, of_potential * s});
  }
  if (!waves_.empty()) copy_to_device(now_.data(), factors.data(), factors.size() * sizeof(real));
  const int* const node = node_.data();
  const real *const cosine = cosine_.data(), *const sine = sine_.data();
  const real* const now = now_.data();
  const int count = static_cast<int>(node_.size()), waves = static_cast<int>(waves_.size());
  const auto zeta = elevation.view(), phi = potential.view();
  forall(
      count, SOLENOID_KERNEL(int i) {
        real sum_of_zeta = 0, sum_of_phi = 0;
        for (int k = 0; k < waves; ++k) {
          const std::int64_t at = std::int64_t{k} * count + i;
          const real c = cosine[at], s = sine[at];
          sum_of_zeta += now[4 * k] * c + now[4 * k + 1] * s;
          sum_of_phi += now[4 * k + 2] * s - now[4 * k + 3] * c;
        }
        zeta[Index<Node>{node[i]}] = sum_of_zeta, phi[Index<Node>{node[i]}] = sum_of_phi;
      });
}

void RelaxationZone::relax(real dt, const Field<Node>& target, Field<Node>& values) const {
  const int* const node = node_.data();
  const real* const strength = strength_.data();
  const auto wanted = target.view();
  const auto value = values.view();
  forall(
      static_cast<int>(node_.size()), SOLENOID_KERNEL(int i) {
        const Index<Node> n{node[i]};
        value[n] = wanted[n] + std::exp(-strength[i] * dt) * (value[n] - wanted[n]);
      });
}

}  // namespace solenoid
