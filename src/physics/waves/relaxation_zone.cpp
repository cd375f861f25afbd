#include "physics/waves/relaxation_zone.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "model/box_tree.hpp"
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

/// The distances of places from faces, up to a width.
class DistanceFromFaces {
 public:
  DistanceFromFaces(const std::vector<Vec3>& ends, real width) : ends_(ends) {
    std::vector<BoxTree::Box> boxes;
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const Vec3 &a = ends[i], &b = ends[i + 1];
      boxes.push_back({{std::min(a.x, b.x) - width, std::min(a.y, b.y) - width},
                       {std::max(a.x, b.x) + width, std::max(a.y, b.y) + width}});
    }
    near_ = BoxTree(boxes);
  }

  /// [m]; infinite where no face is within the width.
  real operator()(const Vec3& x) const {
    real least = std::numeric_limits<real>::infinity();
    for (const int face : near_.around({x.x, x.y})) {
      const std::size_t i = 2 * static_cast<std::size_t>(face);
      const Vec3 along = ends_[i + 1] - ends_[i], arm = x - ends_[i];
      const real share = std::clamp(dot(arm, along) / dot(along, along), real{0}, real{1});
      const Vec3 apart = arm - share * along;
      least = std::min(least, dot(apart, apart));
    }
    return std::sqrt(least);
  }

 private:
  const std::vector<Vec3>& ends_;
  BoxTree near_;
};

}  // namespace

RelaxationZones::RelaxationZones(const LocalMesh& mesh, const std::vector<ZoneSettings>& settings, const Sea& sea,
                                 const std::vector<WaterAtSides>& at)
    : strength_(mesh), gravity_(sea.gravity) {
  constexpr real usual_strength = 0.7;
  const real strongest = usual_strength * sea.frequency;
  const std::vector<Vec3>& points = mesh.part().points;
  std::vector<real> sum(static_cast<std::size_t>(mesh.owned<Node>()), 0);
  std::vector<std::vector<int>> nodes;
  std::vector<std::vector<real>> strengths;
  for (const ZoneSettings& zone : settings) {
    const std::vector<Vec3> ends = ends_of_faces(mesh, zone.patches);
    const DistanceFromFaces distance(ends, zone.width);
    std::vector<int>& node = nodes.emplace_back();
    std::vector<real>& strength = strengths.emplace_back();
    for (int n = 0; n < mesh.owned<Node>(); ++n) {
      const real inward = 1 - distance(points[n]) / zone.width;
      if (!(inward > 0)) continue;
      node.push_back(n), strength.push_back(strongest * inward * inward);
      sum[n] += strength.back();
    }
  }
  for (std::size_t z = 0; z < settings.size(); ++z) {
    Strip& strip = strips_.emplace_back();
    strip.waves = settings[z].waves;
    std::vector<real> cosine, sine;
    for (const IncomingWave& wave : strip.waves) {
      const real along = dot(at[z].current, wave.direction);
      const real number =
          wave_on_current(wave.frequency, along, at[z].depth, sea.gravity, integrals_of(sea, at[z].depth))
              .value()
              .number;
      strip.intrinsic.push_back(wave.frequency - number * along);
      for (std::size_t i = 0; i < nodes[z].size(); ++i) {
        const int n = nodes[z][i];
        const real phase = number * dot(wave.direction, points[n]) + wave.phase, weight = strengths[z][i] / sum[n];
        cosine.push_back(weight * std::cos(phase)), sine.push_back(weight * std::sin(phase));
      }
    }
    strip.node = DeviceArray<int>(nodes[z]);
    strip.cosine = DeviceArray<real>(cosine), strip.sine = DeviceArray<real>(sine);
    strip.now = DeviceArray<real>(std::vector<real>(4 * strip.waves.size(), 0));
  }
  for (real& s : sum) s = std::min(s, strongest);
  strength_.from_host(sum);
}

/// With the phases p at t = 0: cos(p - w t) and sin(p - w t) by the sums of angles.
void RelaxationZones::sample(real time, Field<Node>& elevation, Field<Node>& potential) const {
  const auto zeta = elevation.view(), phi = potential.view();
  forall(
      elevation.owned(), SOLENOID_KERNEL(int i) { zeta[Index<Node>{i}] = 0, phi[Index<Node>{i}] = 0; });
  for (const Strip& strip : strips_) {
    std::vector<real> factors;
    for (std::size_t k = 0; k < strip.waves.size(); ++k) {
      const IncomingWave& wave = strip.waves[k];
      const real c = std::cos(wave.frequency * time), s = std::sin(wave.frequency * time),
                 of_potential = gravity_ / strip.intrinsic[k] * wave.amplitude;
      factors.insert(factors.end(), {wave.amplitude * c, wave.amplitude * s, of_potential * c, of_potential * s});
    }
    if (factors.empty()) continue;
    copy_to_device(strip.now.data(), factors.data(), factors.size() * sizeof(real));
    const int* const node = strip.node.data();
    const real *const cosine = strip.cosine.data(), *const sine = strip.sine.data();
    const real* const now = strip.now.data();
    const int count = static_cast<int>(strip.node.size()), waves = static_cast<int>(strip.waves.size());
    forall(
        count, SOLENOID_KERNEL(int i) {
          real sum_of_zeta = 0, sum_of_phi = 0;
          for (int k = 0; k < waves; ++k) {
            const std::int64_t at = std::int64_t{k} * count + i;
            const real c = cosine[at], s = sine[at];
            sum_of_zeta += now[4 * k] * c + now[4 * k + 1] * s;
            sum_of_phi += now[4 * k + 2] * s - now[4 * k + 3] * c;
          }
          zeta[Index<Node>{node[i]}] += sum_of_zeta, phi[Index<Node>{node[i]}] += sum_of_phi;
        });
  }
}

void RelaxationZones::relax(real dt, const Field<Node>& target, Field<Node>& values) const {
  const auto strength = strength_.view();
  const auto wanted = target.view();
  const auto value = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        if (strength[n] > 0) value[n] = wanted[n] + std::exp(-strength[n] * dt) * (value[n] - wanted[n]);
      });
}

}  // namespace solenoid
