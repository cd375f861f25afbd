#include "physics/rebuilt_tables.hpp"

#include <algorithm>

#include "operators/boundary_circulation.hpp"
#include "physics/symmetry_planes.hpp"

namespace solenoid {

namespace {

FaceKind kind_of(const FlowBoundaries& boundaries, int patch) {
  if (boundaries.no_slip_velocity(patch)) return FaceKind::sticking;
  if (boundaries.velocity(patch)) return FaceKind::far;
  return boundaries.outlet(patch) ? FaceKind::open : FaceKind::sliding;
}

/// An entity beside a node, by its global id, with the node's place in it.
struct Beside {
  std::int64_t id;
  int entity, corner;
};

RebuiltTables::Rows sorted_rows(std::vector<std::vector<Beside>>& of_nodes) {
  std::vector<int> begin{0}, entity, corner;
  for (auto& around : of_nodes) {
    std::sort(around.begin(), around.end(),
              [](const Beside& a, const Beside& b) { return std::pair(a.id, a.corner) < std::pair(b.id, b.corner); });
    for (const Beside& one : around) entity.push_back(one.entity), corner.push_back(one.corner);
    begin.push_back(static_cast<int>(entity.size()));
  }
  return {DeviceArray<int>(begin), DeviceArray<int>(entity), DeviceArray<int>(corner)};
}

}  // namespace

RebuiltTables::RebuiltTables(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : points(mesh.part().points), kinds(mesh.total<Face>(), FaceKind::inside) {
  const MeshPart& part = mesh.part();
  const Geometry& geometry = mesh.geometry();
  const int owned = mesh.owned<Node>();
  std::vector<Vec3> areas;
  std::vector<int> nodes_of_faces;
  std::vector<std::vector<Beside>> cells(owned), faces(owned);
  for (int f = 0; f < part.faces(); ++f) {
    areas.push_back(geometry.face_area[f] * geometry.face_normal[f]);
    const std::span<const int> nodes = part.face_nodes_of(f);
    for (int k = 0; k < 3; ++k) {
      nodes_of_faces.push_back(nodes[k]);
      if (nodes[k] < owned) faces[nodes[k]].push_back({mesh.numbering<Face>().global_id[f], f, k});
    }
  }
  for (int c = 0; c < part.cells(); ++c) {
    const std::span<const int> nodes = part.cell_nodes_of(c);
    for (int k = 0; k < 4; ++k) {
      if (nodes[k] < owned) cells[nodes[k]].push_back({mesh.numbering<Cell>().global_id[c], c, k});
    }
  }

  std::vector<std::vector<std::pair<std::size_t, real>>> of_nodes(owned);
  std::vector<real> total_area(owned, 0), of_planes(owned, 0);
  std::vector<int> owned_faces;
  for (const int i : in_order_of_faces(mesh)) {
    const BoundaryFace& b = mesh.boundary()[i];
    kinds[b.face] = kind_of(boundaries, b.patch);
    if (b.is_owned) owned_faces.push_back(b.face), boundary_places.push_back(i);
    const bool slides = kinds[b.face] == FaceKind::sliding;
    if (!boundaries.velocity(b.patch) && !slides) continue;
    const std::span<const int> nodes = part.face_nodes_of(b.face);
    for (std::size_t k = 0; k < 3; ++k) {
      if (nodes[k] >= owned) continue;
      if (slides) of_planes[nodes[k]] += norm(b.outward_area);
      if (slides) continue;
      total_area[nodes[k]] += norm(b.outward_area);
      for (std::size_t edge = 0; edge < 3; ++edge) {  // at a corner: the middles beside it less the one opposite
        const auto [p, q] = triangle_edge_ends[edge];
        const real sign = p == k || q == k ? 1 : -1;
        of_nodes[nodes[k]].emplace_back(3 * static_cast<std::size_t>(i) + edge, sign * norm(b.outward_area));
      }
    }
  }
  std::vector<int> given;
  for (int n = 0; n < owned; ++n) {
    if (of_nodes[n].empty()) {
      if (of_planes[n] > 0) sliding_node.push_back(n);
      continue;
    }
    for (auto& [place, weight] : of_nodes[n]) weight /= total_area[n];
    given.push_back(n);
    sources.push_back(std::move(of_nodes[n]));
  }
  for (int n = 0; n < owned; ++n) reacting_area.push_back(total_area[n] > 0 ? total_area[n] : of_planes[n]);
  area = DeviceArray<Vec3>(areas);
  corners = DeviceArray<int>(nodes_of_faces);
  kind = DeviceArray<FaceKind>(kinds);
  cells_of_nodes = sorted_rows(cells);
  faces_of_nodes = sorted_rows(faces);
  given_node = DeviceArray<int>(given);
  boundary_face = DeviceArray<int>(owned_faces);
}

}  // namespace solenoid
