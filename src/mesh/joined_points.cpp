#include "mesh/joined_points.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "mesh/disjoint_sets.hpp"
#include "mesh/point_grid.hpp"

namespace solenoid {

namespace {

struct PairSide {
  std::vector<int> points;
  Vec3 centre;                                       // mean of the points
  real shortest = std::numeric_limits<real>::max();  // between two points of a face
};

PairSide pair_side(const MeshSource& mesh, const std::string& patch) {
  PairSide side;
  for (int f = 0; f < mesh.boundary_face_count(); ++f) {
    if (mesh.patches[static_cast<std::size_t>(mesh.boundary_patch[static_cast<std::size_t>(f)])] != patch) continue;
    const auto points = mesh.points_of_boundary_face(f);
    const auto at = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(points[k])]; };
    side.points.insert(side.points.end(), points.begin(), points.end());
    for (std::size_t k = 1; k < points.size(); ++k) side.shortest = std::min(side.shortest, norm(at(k) - at(0)));
  }
  std::sort(side.points.begin(), side.points.end());
  side.points.erase(std::unique(side.points.begin(), side.points.end()), side.points.end());
  for (const int point : side.points) {
    side.centre += mesh.points[static_cast<std::size_t>(point)] / static_cast<real>(side.points.size());
  }
  return side;
}

/// The faces of a patch by their joined points, ascending; the first is -1 in the plane.
std::vector<std::array<int, 3>> joined_faces(const MeshSource& mesh, const std::string& patch,
                                             const std::vector<int>& joined) {
  std::vector<std::array<int, 3>> faces;
  for (int f = 0; f < mesh.boundary_face_count(); ++f) {
    if (mesh.patches[static_cast<std::size_t>(mesh.boundary_patch[static_cast<std::size_t>(f)])] != patch) continue;
    std::array<int, 3>& face = faces.emplace_back(std::array{-1, -1, -1});
    const auto points = mesh.points_of_boundary_face(f);
    std::transform(points.begin(), points.end(), face.begin(),
                   [&](int point) { return joined[static_cast<std::size_t>(point)]; });
    std::sort(face.begin(), face.end());
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

}  // namespace

std::vector<int> joined_points(const MeshSource& mesh, const PatchPairs& pairs) {
  DisjointSets sets(static_cast<int>(mesh.points.size()));
  for (const auto& [first, second] : pairs) {
    const PairSide from = pair_side(mesh, first), to = pair_side(mesh, second);
    if (from.points.empty() || from.points.size() != to.points.size() || !(from.shortest > 0)) continue;
    const PointGrid grid(mesh.points, from.points, from.shortest);
    for (const int point : to.points) {
      constexpr real tolerance = 1e-3;  // of the shortest distance, farther than where the mesh is connected
      const Vec3 there = mesh.points[static_cast<std::size_t>(point)] - (to.centre - from.centre);
      const int found = grid.nearest(there);
      if (found == PointGrid::nothing) continue;
      if (norm(mesh.points[static_cast<std::size_t>(found)] - there) <= tolerance * from.shortest) {
        sets.join(point, found);
      }
    }
  }
  std::vector<int> lowest;
  for (int point = 0; point < static_cast<int>(mesh.points.size()); ++point) lowest.push_back(sets.lowest(point));
  return lowest;
}

bool has_points_alike(const MeshSource& mesh, const PatchPairs& pairs, const std::vector<int>& joined) {
  const auto of = [&](const std::string& patch) {
    std::vector<int> points = pair_side(mesh, patch).points;
    for (int& point : points) point = joined[static_cast<std::size_t>(point)];
    std::sort(points.begin(), points.end());
    return points;
  };
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return of(pair.first) == of(pair.second); });
}

bool has_faces_alike(const MeshSource& mesh, const PatchPairs& pairs, const std::vector<int>& joined) {
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return joined_faces(mesh, pair.first, joined) == joined_faces(mesh, pair.second, joined);
  });
}

}  // namespace solenoid
