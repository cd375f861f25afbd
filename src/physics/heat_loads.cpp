#include "physics/heat_loads.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "operators/assemble.hpp"
#include "operators/quadrature.hpp"

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

std::vector<real> cell_means(const LocalMesh& mesh, const MaterialProperty& property, real time) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<real> means;
  means.reserve(part.cells());
  if (!property.depends_on_place) {
    std::vector<std::optional<real>> of_region(part.regions.size() + 1);
    for (const int region : part.cell_region) {
      std::optional<real>& value = of_region[region + 1];
      if (!value) value = property.value(region, {}, time);
      means.push_back(*value);
    }
    return means;
  }
  for (int c = 0; c < part.cells(); ++c) {
    real mean = 0;
    for (const QuadraturePoint& point : quadrature(corners)) {
      const Vec3 x = point.in(part.points, part.cell_nodes_of(c));
      mean += point.weight * property.value(part.cell_region[c], x, time);
    }
    means.push_back(mean);
  }
  return means;
}

std::vector<real> source_loads(const LocalMesh& mesh, const MaterialProperty& source, real time) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<real> of_slot(part.cell_nodes.size());
  if (!source.depends_on_place) {
    const std::vector<real> density = cell_means(mesh, source, time);
    if (std::all_of(density.begin(), density.end(), [](real s) { return s == 0; })) {
      return std::vector<real>(mesh.owned<Node>(), 0);
    }
    for (std::size_t slot = 0; slot < of_slot.size(); ++slot) of_slot[slot] = density[slot / corners] / corners;
  } else {
    for (int c = 0; c < part.cells(); ++c) {
      for (const QuadraturePoint& point : quadrature(corners)) {
        const Vec3 x = point.in(part.points, part.cell_nodes_of(c));
        const real value = point.weight * source.value(part.cell_region[c], x, time);
        for (int k = 0; k < corners; ++k) of_slot[c * corners + k] += value * point.barycentric[k];
      }
    }
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

std::vector<real> patch_loads(const LocalMesh& mesh, const PatchNodes& patch, const PatchQuantity& quantity,
                              real time) {
  const MeshPart& part = mesh.part();
  const int d = mesh.dimension();
  std::vector<real> loads(patch.node.size(), 0);
  for (const PatchNodes::Side& side : patch.sides) {
    const int f = mesh.boundary()[side.boundary_face].face;
    for (const QuadraturePoint& point : quadrature(d)) {
      const Vec3 x = point.in(part.points, part.face_nodes_of(f));
      const real value = point.weight * mesh.geometry().face_area[f] * quantity.value(x, time);
      for (int k = 0; k < d; ++k) {
        if (side.place[k] >= 0) loads[side.place[k]] += value * point.barycentric[k];
      }
    }
  }
  return loads;
}

std::vector<real> at_nodes(const LocalMesh& mesh, const PatchNodes& patch, const PatchQuantity& quantity, real time) {
  std::vector<real> values;
  for (const int n : patch.node) values.push_back(quantity.value(mesh.part().points[n], time));
  return values;
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

void TemperatureBounds::share(const Comm& comm) {
  low = comm.min(low);
  high = comm.max(high);
  has_low = comm.min(std::int64_t{has_low}) != 0;
  has_high = comm.min(std::int64_t{has_high}) != 0;
}

}  // namespace solenoid
