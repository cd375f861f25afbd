#include "io/layers/layer_directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace solenoid {

namespace {

using FaceKey = std::array<int, 3>;

struct FaceHash {
  std::size_t operator()(const FaceKey& key) const {
    std::uint64_t hash = 0;
    for (const int n : key) hash = (hash ^ static_cast<std::uint64_t>(n)) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 32;
  }
};

FaceKey face_key(const std::vector<int>& nodes) {
  FaceKey key{-1, -1, -1};
  std::copy(nodes.begin(), nodes.end(), key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

const Vec3& point_at(const MeshSource& mesh, int point) { return mesh.points[static_cast<std::size_t>(point)]; }

/// As long as the area; to the right of an edge.
Vec3 face_normal(const MeshSource& mesh, const std::vector<int>& nodes) {
  const Vec3 along = point_at(mesh, nodes[1]) - point_at(mesh, nodes[0]);
  if (mesh.dimension == 2) return {along.y, -along.x, 0};
  return cross(along, point_at(mesh, nodes[2]) - point_at(mesh, nodes[0])) / 2;
}

/// Adds directions that are not yet spanned.
void add_barrier(std::vector<Vec3>& barriers, const Vec3& normal) {
  const Vec3 rest = along_barriers(normal, barriers);
  constexpr real apart = 1e-4;  // of one plane, but for round-off: points between facets of a curved surface stay
  if (norm(rest) > apart) barriers.push_back(rest / norm(rest));
}

/// The direction that makes the largest of the least angles with the faces: from the mean, towards the worst face.
Vec3 most_visible(const std::vector<Vec3>& inwards) {
  Vec3 best;
  for (const Vec3& n : inwards) best += n;
  if (norm(best) == 0) return {};
  best = best / norm(best);
  const auto worst = [&](const Vec3& direction) {
    return *std::min_element(inwards.begin(), inwards.end(),
                             [&](const Vec3& a, const Vec3& b) { return dot(a, direction) < dot(b, direction); });
  };
  real least = dot(worst(best), best);
  constexpr int tries = 40;
  for (real step = real(0.5); step > real(1) / tries; step *= real(0.8)) {
    const Vec3 trial = best + step * worst(best), unit = trial / norm(trial);
    const real now = dot(worst(unit), unit);
    if (now > least) best = unit, least = now;
  }
  return best;
}

}  // namespace

Vec3 along_barriers(Vec3 direction, const std::vector<Vec3>& barriers) {
  for (const Vec3& barrier : barriers) direction -= dot(direction, barrier) * barrier;
  return direction;
}

LayerSurfaces find_surfaces(const MeshSource& mesh, const std::vector<int>& patches, const std::vector<int>& joined) {
  const int corners = mesh.dimension + 1;
  LayerSurfaces surfaces;
  surfaces.dimension = mesh.dimension;
  surfaces.at_point.resize(mesh.points.size());
  surfaces.barriers.resize(mesh.points.size());
  std::unordered_map<FaceKey, int, FaceHash> patch_at;  // of boundary faces
  for (int f = 0; f < mesh.boundary_face_count(); ++f) {
    const auto nodes = mesh.points_of_boundary_face(f);
    patch_at[face_key({nodes.begin(), nodes.end()})] = mesh.boundary_patch[static_cast<std::size_t>(f)];
  }
  std::unordered_map<FaceKey, int, FaceHash> cell_at;  // waiting for the cell on the other side
  const auto add = [&](std::vector<int> nodes, int opposite, int cell, int patch) {
    Vec3 normal = face_normal(mesh, nodes);
    if (dot(normal, point_at(mesh, opposite) - point_at(mesh, nodes[0])) > 0) {
      std::swap(nodes[0], nodes[1]);
      normal = -normal;
    }
    const bool is_layered = std::find(patches.begin(), patches.end(), patch) != patches.end();
    const real area = norm(normal);
    const auto face = static_cast<int>(surfaces.faces.size());
    surfaces.faces.push_back({static_cast<int>(surfaces.nodes.size()), patch, cell, area > 0 ? normal / area : normal,
                              is_layered && patch >= 0});
    for (const int node : nodes) surfaces.at_point[static_cast<std::size_t>(node)].push_back(face);
    surfaces.nodes.insert(surfaces.nodes.end(), nodes.begin(), nodes.end());
  };
  const bool has_regions = mesh.regions.size() > 1;
  for (int cell = 0; cell < mesh.cell_count(); ++cell) {
    const auto points = mesh.points_of_cell(cell);
    for (int skip = 0; skip < corners; ++skip) {
      std::vector<int> nodes;
      for (int k = 0; k < corners; ++k) {
        if (k != skip) nodes.push_back(points[static_cast<std::size_t>(k)]);
      }
      const FaceKey key = face_key(nodes);
      const int opposite = points[static_cast<std::size_t>(skip)];
      if (const auto found = patch_at.find(key); found != patch_at.end()) {
        add(nodes, opposite, cell, found->second);
      } else if (has_regions) {
        const auto [other, is_new] = cell_at.emplace(key, cell);
        if (is_new) continue;
        const auto region = [&](int c) { return mesh.cell_region[static_cast<std::size_t>(c)]; };
        if (region(other->second) != region(cell)) add(nodes, opposite, cell, -1);
        cell_at.erase(other);
      }
    }
  }
  for (const BoundingFace& face : surfaces.faces) {
    if (face.is_layered) continue;
    for (int k = 0; k < mesh.dimension; ++k) {
      const int node = surfaces.nodes[static_cast<std::size_t>(face.first + k)];
      add_barrier(surfaces.barriers[static_cast<std::size_t>(joined[static_cast<std::size_t>(node)])], face.normal);
    }
  }
  for (std::size_t point = 0; point < joined.size(); ++point) {
    const auto lowest = static_cast<std::size_t>(joined[point]);
    if (lowest != point) surfaces.barriers[point] = surfaces.barriers[lowest];
  }
  return surfaces;
}

std::vector<Vec3> layer_directions(const MeshSource& mesh, const LayerSurfaces& surfaces) {
  std::vector<Vec3> directions(mesh.points.size());
  for (std::size_t point = 0; point < mesh.points.size(); ++point) {
    std::vector<Vec3> inwards;
    for (const int f : surfaces.at_point[point]) {
      const BoundingFace& face = surfaces.faces[static_cast<std::size_t>(f)];
      if (face.is_layered) inwards.push_back(-face.normal);
    }
    if (inwards.empty()) continue;
    Vec3 direction = along_barriers(most_visible(inwards), surfaces.barriers[point]);
    constexpr real least = real(0.3);  // of its length: else the barrier goes on where the wall ends
    if (norm(direction) < least) continue;
    direction = direction / norm(direction);
    real rise = 1;
    for (const Vec3& n : inwards) rise = std::min(rise, dot(n, direction));
    constexpr real steepest = real(0.5);
    if (rise > 0) directions[point] = direction / std::max(rise, steepest);
  }
  return directions;
}

}  // namespace solenoid
