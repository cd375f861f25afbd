#include "physics/flow/reconstruct/wall_data.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {

WallData::WallData(const WideHaloMesh& wide, const FlowBoundaries& boundaries, std::vector<int> faces)
    : wide_(wide), boundaries_(boundaries), place_(static_cast<std::size_t>(wide.part.faces()), -1) {
  const MeshPart& part = wide.part;
  const real near = real{0.5} - real{0.5} / std::sqrt(real{3});  // two-point Gauss rule
  for (const int f : faces) {
    const int patch = part.face_patch[f];
    if (place_[f] >= 0 || patch < 0 || !boundaries.no_slip_velocity(patch)) continue;
    place_[f] = static_cast<int>(faces_.size());
    faces_.push_back(f);
    const std::int64_t id = wide.faces.numbering().global_id[f];
    const std::span<const int> points = part.face_points_of(f);
    for (const int point : points) places_.push_back({patch, part.points[point], id});
    const Vec3 a = part.points[points[0]], b = part.points[points[1]], c = part.points[points.back()];
    if (part.dimension == 2) {
      places_.insert(places_.end(), {{patch, a + near * (b - a), id}, {patch, b - near * (b - a), id}});
    } else {
      places_.insert(places_.end(), {{patch, (a + b) / 2, id}, {patch, (b + c) / 2, id}, {patch, (c + a) / 2, id}});
    }
  }
}

void WallData::sample(real time) {
  if (is_sampled_ && !boundaries_.velocity_depends_on_time()) return;
  const std::vector<Vec3> velocity = sample_velocity(boundaries_, places_, time);
  const auto d = static_cast<std::size_t>(wide_.part.dimension);
  along_.resize(faces_.size() * (d - 1));
  corners_.resize(faces_.size() * d);
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const BoundaryPlace* const x = &places_[2 * d * k];
    const Vec3* const u = &velocity[2 * d * k];
    std::copy(u, u + d, &corners_[d * k]);
    Vec3 mean;
    for (std::size_t j = d; j < 2 * d; ++j) mean += u[j] / static_cast<real>(d);
    const Vec3 side = x[1].at - x[0].at, first = side / norm(side);
    along_[(d - 1) * k] = dot(first, mean);
    if (d == 2) continue;
    const Vec3 area = cross(side, x[2].at - x[0].at);
    along_[2 * k + 1] = dot(cross(area / norm(area), first), mean);
  }
  is_sampled_ = true;
}

Vec3 WallData::mean_at(std::span<const WallCorner> corners) const {
  Vec3 sum;
  for (const auto& [place, point] : corners) {
    const std::span<const int> points = wide_.part.face_points_of(faces_[place]);
    const auto corner = std::find(points.begin(), points.end(), point) - points.begin();
    sum += corners_[static_cast<std::size_t>(place) * points.size() + static_cast<std::size_t>(corner)];
  }
  return sum / static_cast<real>(corners.size());
}

}  // namespace solenoid
