#include "io/layers/layer_room.hpp"

#include <algorithm>

namespace solenoid {

namespace {

void add_once(std::vector<int>& list, int value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

LayerRoom::LayerRoom(const MeshSource& mesh, const LayerSurfaces& surfaces, const std::vector<int>& joined, int rings)
    : mesh_(mesh),
      surfaces_(surfaces),
      joined_(joined),
      source_(mesh.points.size(), -1),
      is_wall_(mesh.points.size(), 0),
      is_on_surface_(mesh.points.size(), 0),
      neighbours_(mesh.points.size()),
      displacement_(mesh.points.size()) {
  connect(surfaces);
  for (std::size_t point = 0; point < joined.size(); ++point) {
    if (joined[point] != static_cast<int>(point)) others_[joined[point]].push_back(static_cast<int>(point));
  }
  for (auto& [lowest, all] : others_) all.push_back(lowest);
  for (const auto& [lowest, all] : others_) {
    const bool is_wall =
        std::any_of(all.begin(), all.end(), [&](int p) { return is_wall_[static_cast<std::size_t>(p)]; });
    for (const int point : all) is_wall_[static_cast<std::size_t>(point)] = is_wall;
  }
  for (int point = 0; point < static_cast<int>(mesh.points.size()); ++point) {
    if (is_wall_[static_cast<std::size_t>(point)] == 0) continue;
    source_[static_cast<std::size_t>(point)] = point;
    order_.push_back(point);
  }
  std::vector<std::vector<int>> along_cells(mesh.points.size());
  for (int cell = 0; cell < mesh.cell_count(); ++cell) {
    const auto points = mesh.points_of_cell(cell);
    for (const int a : points) {
      for (const int b : points) {
        if (a != b) add_once(along_cells[static_cast<std::size_t>(a)], b);
      }
    }
  }
  std::size_t begin = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const std::size_t end = order_.size();
    for (; begin < end; ++begin) {
      const int from = order_[begin];
      for (const int to : along_cells[static_cast<std::size_t>(from)]) {
        const auto reach = [&](int point) {
          if (source_[static_cast<std::size_t>(point)] >= 0) return;
          source_[static_cast<std::size_t>(point)] = source_[static_cast<std::size_t>(from)];
          order_.push_back(point);
        };
        reach(to);
        for_others(to, reach);
      }
    }
  }
  for (const int point : order_) {
    const auto place = static_cast<std::size_t>(point);
    if (is_on_surface_[place] == 0) neighbours_[place] = std::move(along_cells[place]);
  }
}

void LayerRoom::connect(const LayerSurfaces& surfaces) {
  for (const BoundingFace& face : surfaces.faces) {
    for (int k = 0; k < mesh_.dimension; ++k) {
      const int a = surfaces.nodes[static_cast<std::size_t>(face.first + k)];
      if (face.is_layered) is_wall_[static_cast<std::size_t>(a)] = 1;
      is_on_surface_[static_cast<std::size_t>(a)] = 1;
      for (int j = 0; j < mesh_.dimension && !face.is_layered; ++j) {
        const int b = surfaces.nodes[static_cast<std::size_t>(face.first + j)];
        if (a != b) add_once(neighbours_[static_cast<std::size_t>(a)], b);
      }
    }
  }
}

void LayerRoom::relax(int point) {
  const auto place = static_cast<std::size_t>(point);
  if (is_wall_[place] != 0 || joined_[place] != point) return;
  Vec3 sum;
  real weights = 0;
  for (const int other : neighbours_[place]) {
    const Vec3 edge = mesh_.points[static_cast<std::size_t>(other)] - mesh_.points[place];
    const real weight = 1 / dot(edge, edge);
    sum += weight * displacement_[static_cast<std::size_t>(other)];
    weights += weight;
  }
  if (weights == 0) return;
  displacement_[place] = along_barriers(sum / weights, surfaces_.barriers[place]);
  for_others(point, [&](int other) { displacement_[static_cast<std::size_t>(other)] = displacement_[place]; });
}

const std::vector<Vec3>& LayerRoom::displace(const std::vector<Vec3>& of_walls) {
  for (const int point : order_) {
    const auto place = static_cast<std::size_t>(point);
    if (is_wall_[place] != 0) displacement_[place] = of_walls[place];
  }
  constexpr int sweeps = 25;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (auto point = order_.begin(); point != order_.end(); ++point) relax(*point);
    for (auto point = order_.rbegin(); point != order_.rend(); ++point) relax(*point);
  }
  return displacement_;
}

}  // namespace solenoid
