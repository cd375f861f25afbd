#include "physics/nodal/nodal_loads.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "operators/assemble.hpp"
#include "operators/p1.hpp"

namespace solenoid {

std::vector<PatchNodes> nodes_of_patches(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const int owned = mesh.owned<Node>();
  std::vector<PatchNodes> patches(part.patches.size());
  for (const BoundaryFace& b : mesh.boundary()) {
    std::vector<int>& nodes = patches[b.patch].node;
    for (const int n : part.face_nodes_of(b.face)) {
      if (n < owned) nodes.push_back(n);
    }
  }
  for (PatchNodes& patch : patches) {
    std::sort(patch.node.begin(), patch.node.end());
    patch.node.erase(std::unique(patch.node.begin(), patch.node.end()), patch.node.end());
  }
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    PatchNodes& patch = patches[b.patch];
    PatchNodes::Side side{i, {-1, -1, -1}};
    bool touches = false;
    for (int k = 0; k < part.dimension; ++k) {
      const int n = part.face_nodes_of(b.face)[k];
      if (n >= owned) continue;
      side.place[k] = static_cast<int>(std::lower_bound(patch.node.begin(), patch.node.end(), n) - patch.node.begin());
      touches = true;
    }
    if (touches) patch.sides.push_back(side);
  }
  return patches;
}

namespace {

/// Calls use(c, values) for every local cell, with the property at the cell's quadrature points.
template <class Use>
void at_quadrature_points(const LocalMesh& mesh, const OnRegions& property, real time, const Use& use) {
  constexpr std::size_t at_once = 1024;  // cells
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  const auto rule = quadrature(corners);
  std::vector<std::vector<int>> cells_of(part.regions.size() + 1);
  for (int c = 0; c < part.cells(); ++c) cells_of[part.cell_region[c] + 1].push_back(c);
  std::vector<Vec3> points;
  std::vector<real> values(at_once * rule.size());
  for (std::size_t k = 0; k < cells_of.size(); ++k) {
    for (std::size_t begin = 0; begin < cells_of[k].size(); begin += at_once) {
      const std::span cells =
          std::span(cells_of[k]).subspan(begin).first(std::min(at_once, cells_of[k].size() - begin));
      points.clear();
      for (const int c : cells) {
        for (const QuadraturePoint& point : rule) {
          points.push_back(point.in(part.points, std::span(&part.cell_nodes[c * corners], corners)));
        }
      }
      property.in(static_cast<int>(k) - 1).evaluate(points, time, std::span(values).first(points.size()));
      for (std::size_t i = 0; i < cells.size(); ++i) use(cells[i], &values[i * rule.size()]);
    }
  }
}

}  // namespace

std::vector<real> cell_means(const LocalMesh& mesh, const OnRegions& property, real time) {
  const MeshPart& part = mesh.part();
  std::vector<real> means(part.cells(), 0);
  if (!property.depends().on_place) {
    std::vector<std::optional<real>> of_region(part.regions.size() + 1);
    for (int c = 0; c < part.cells(); ++c) {
      std::optional<real>& value = of_region[part.cell_region[c] + 1];
      if (!value) value = property.in(part.cell_region[c]).at(Vec3{}, time);
      means[c] = *value;
    }
    return means;
  }
  const auto rule = quadrature(part.corners());
  at_quadrature_points(mesh, property, time, [&](int c, const real* values) {
    for (std::size_t q = 0; q < rule.size(); ++q) means[c] += rule[q].weight * values[q];
  });
  return means;
}

std::vector<real> source_loads(const LocalMesh& mesh, const OnRegions& source, real time) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<real> of_slot(part.cell_nodes.size());
  if (!source.depends().on_place) {
    const std::vector<real> density = cell_means(mesh, source, time);
    if (std::all_of(density.begin(), density.end(), [](real s) { return s == 0; })) {
      return std::vector<real>(mesh.owned<Node>(), 0);
    }
    for (std::size_t slot = 0; slot < of_slot.size(); ++slot) of_slot[slot] = density[slot / corners] / corners;
  } else {
    const auto rule = quadrature(corners);
    at_quadrature_points(mesh, source, time, [&](int c, const real* values) {
      for (std::size_t q = 0; q < rule.size(); ++q) {
        const real value = rule[q].weight * values[q];
        for (int k = 0; k < corners; ++k) of_slot[c * corners + k] += value * rule[q].barycentric[k];
      }
    });
  }
  const SlotsInCells slots(part, {part.cell_nodes, corners}, mesh.owned<Node>());
  std::vector<real> loads;
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    real sum = 0;
    for (const int slot : slots[n]) sum += of_slot[slot] * mesh.geometry().cell_volume[slot / corners];
    loads.push_back(sum);
  }
  return loads;
}

void add_loads(const LocalMesh& mesh, const std::vector<char>& cells, real density, std::vector<real>& loads) {
  if (density == 0) return;
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  const SlotsInCells slots(part, {part.cell_nodes, corners}, mesh.owned<Node>());
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    for (const int slot : slots[n]) {
      const int c = slot / corners;
      if (cells[c]) loads[n] += density * mesh.geometry().cell_volume[c] / static_cast<real>(corners);
    }
  }
}

std::vector<real> patch_loads(const LocalMesh& mesh, const PatchNodes& patch, const Coefficient<real>& quantity,
                              real time) {
  const MeshPart& part = mesh.part();
  const int d = mesh.dimension();
  const auto rule = quadrature(d);
  std::vector<Vec3> points;
  for (const PatchNodes::Side& side : patch.sides) {
    const int f = mesh.boundary()[side.boundary_face].face;
    for (const QuadraturePoint& point : rule) {
      points.push_back(point.in(part.points, std::span(&part.face_nodes[f * d], d)));
    }
  }
  const std::vector<real> values = quantity.at(points, time);
  std::vector<real> loads(patch.node.size(), 0);
  const real* next = values.data();
  for (const PatchNodes::Side& side : patch.sides) {
    const real area = mesh.geometry().face_area[mesh.boundary()[side.boundary_face].face];
    for (const QuadraturePoint& point : rule) {
      const real value = point.weight * area * *next++;
      for (int k = 0; k < d; ++k) {
        if (side.place[k] >= 0) loads[side.place[k]] += value * point.barycentric[k];
      }
    }
  }
  return loads;
}

std::vector<real> at_nodes(const LocalMesh& mesh, const PatchNodes& patch, const Coefficient<real>& quantity,
                           real time) {
  std::vector<Vec3> points;
  for (const int n : patch.node) points.push_back(mesh.part().points[n]);
  return quantity.at(points, time);
}

TemperatureBounds::TemperatureBounds()
    : low(std::numeric_limits<real>::max()), high(std::numeric_limits<real>::lowest()) {}

void TemperatureBounds::include(std::span<const real> temperatures) {
  for (const real value : temperatures) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
}

void TemperatureBounds::include_heat(std::span<const real> supplied) {
  for (const real value : supplied) {
    if (value > 0) has_high = false;
    if (value < 0) has_low = false;
  }
}

void TemperatureBounds::visit_state(const std::string& name, StateVisitor& visitor) {
  visitor.number(name + "_low", low);
  visitor.number(name + "_high", high);
  visitor.flag(name + "_has_low", has_low);
  visitor.flag(name + "_has_high", has_high);
}

void TemperatureBounds::share(const Comm& comm) {
  low = comm.min(low);
  high = comm.max(high);
  has_low = comm.min(std::int64_t{has_low}) != 0;
  has_high = comm.min(std::int64_t{has_high}) != 0;
}

}  // namespace solenoid
