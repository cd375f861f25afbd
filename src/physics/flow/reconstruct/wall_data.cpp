#include "physics/flow/reconstruct/wall_data.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {

WallData::WallData(const WideHaloMesh& wide, const FlowBoundaries& boundaries, std::vector<int> faces)
    : wide_(wide), boundaries_(boundaries), place_(static_cast<std::size_t>(wide.part.faces()), -1) {
  for (const int f : faces) {
    const int patch = wide.part.face_patch[f];
    if (place_[f] >= 0 || patch < 0 || !boundaries.no_slip_velocity(patch)) continue;
    place_[f] = static_cast<int>(faces_.size());
    faces_.push_back(f);
  }
}

void WallData::sample(real time) {
  if (is_sampled_ && !boundaries_.velocity_depends_on_time()) return;
  const MeshPart& part = wide_.part;
  const auto d = static_cast<std::size_t>(part.dimension);
  const real near = real{0.5} - real{0.5} / std::sqrt(real{3});  // two-point Gauss rule
  std::vector<std::vector<std::size_t>> of_patch(part.patches.size());
  for (std::size_t k = 0; k < faces_.size(); ++k) of_patch[part.face_patch[faces_[k]]].push_back(k);
  along_.resize(faces_.size() * (d - 1));
  corners_.resize(faces_.size() * d);
  std::vector<Vec3> places, velocity;
  for (std::size_t p = 0; p < of_patch.size(); ++p) {
    if (of_patch[p].empty()) continue;
    places.clear();
    for (const std::size_t k : of_patch[p]) {
      const std::span<const int> points = part.face_points_of(faces_[k]);
      for (const int point : points) places.push_back(part.points[point]);
      const Vec3 a = part.points[points[0]], b = part.points[points[1]], c = part.points[points.back()];
      if (d == 2) {
        places.insert(places.end(), {a + near * (b - a), b - near * (b - a)});
      } else {
        places.insert(places.end(), {(a + b) / 2, (b + c) / 2, (c + a) / 2});
      }
    }
    velocity = boundaries_.no_slip_velocity(static_cast<int>(p))->at(places, time);
    for (std::size_t i = 0; i < of_patch[p].size(); ++i) {
      const std::size_t k = of_patch[p][i];
      const Vec3 *const x = &places[2 * d * i], *const u = &velocity[2 * d * i];
      std::copy(u, u + d, &corners_[d * k]);
      Vec3 mean;
      for (std::size_t j = d; j < 2 * d; ++j) mean += u[j] / static_cast<real>(d);
      const Vec3 first = (x[1] - x[0]) / norm(x[1] - x[0]);
      along_[(d - 1) * k] = dot(first, mean);
      if (d == 2) continue;
      const Vec3 area = cross(x[1] - x[0], x[2] - x[0]);
      along_[2 * k + 1] = dot(cross(area / norm(area), first), mean);
    }
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
