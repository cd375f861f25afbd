#include "physics/flow/momentum/rebuilt_tables.hpp"

#include <algorithm>
#include <numeric>

#include "operators/boundary_circulation.hpp"
#include "physics/flow/boundary/symmetry_planes.hpp"

namespace solenoid {

namespace {

FaceKind kind_of(const FlowBoundaries& boundaries, int patch) {
  if (boundaries.no_slip_velocity(patch)) return FaceKind::sticking;
  if (boundaries.velocity(patch)) return FaceKind::far;
  const Outlet* const outlet = boundaries.outlet(patch);
  if (!outlet) return FaceKind::sliding;
  return outlet->inflow == OutletInflow::directed ? FaceKind::directed : FaceKind::open;
}

/// A cell's corner, with the cell's global id.
struct CornerOfCell {
  std::int64_t cell;
  int place;
};

}  // namespace

RebuiltTables::RebuiltTables(const LocalMesh& mesh, const FlowBoundaries& boundaries, const MemoryOf& /*scope*/)
    : points(mesh.part().points), kinds(mesh.total<Face>(), FaceKind::inside) {
  const MeshPart& part = mesh.part();
  const Geometry& geometry = mesh.geometry();
  const int owned = mesh.owned<Node>();
  std::vector<Vec3> areas;
  std::vector<int> nodes_of_faces;
  for (int f = 0; f < part.faces(); ++f) {
    areas.push_back(geometry.face_area[f] * geometry.face_normal[f]);
    const std::span<const int> nodes = part.face_nodes_of(f);
    nodes_of_faces.insert(nodes_of_faces.end(), nodes.begin(), nodes.end());
  }
  find_corners(mesh);

  std::vector<std::vector<std::pair<std::size_t, real>>> of_nodes(owned);
  std::vector<std::vector<int>> giving(owned);
  std::vector<real> total_area(owned, 0), of_planes(owned, 0);
  std::vector<int> owned_faces;
  for (const int i : in_order_of_faces(mesh)) {
    const BoundaryFace& b = mesh.boundary()[i];
    kinds[b.face] = kind_of(boundaries, b.patch);
    if (b.is_owned) owned_faces.push_back(b.face), boundary_places.push_back(i);
    const bool slides = kinds[b.face] == FaceKind::sliding;
    if (!boundaries.velocity(b.patch) && !slides) continue;
    const std::span<const int> nodes = part.face_nodes_of(b.face);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] >= owned) continue;
      if (slides) of_planes[nodes[k]] += norm(b.outward_area);
      if (slides) continue;
      total_area[nodes[k]] += norm(b.outward_area);
      giving[nodes[k]].push_back(b.face);
      if (part.dimension == 2)
        of_nodes[nodes[k]].emplace_back(2 * static_cast<std::size_t>(i) + k, norm(b.outward_area));
      if (part.dimension == 2) continue;
      for (std::size_t edge = 0; edge < 3; ++edge) {  // at a corner: the adjacent midpoints less the opposite one
        const auto [p, q] = triangle_edge_ends[edge];
        const real sign = p == k || q == k ? 1 : -1;
        of_nodes[nodes[k]].emplace_back(3 * static_cast<std::size_t>(i) + edge, sign * norm(b.outward_area));
      }
    }
  }
  std::vector<int> given, giving_begin_of{0}, giving_faces;
  for (int n = 0; n < owned; ++n) {
    if (of_nodes[n].empty()) {
      if (of_planes[n] > 0) sliding_node.push_back(n);
      continue;
    }
    for (auto& [place, weight] : of_nodes[n]) weight /= total_area[n];
    given.push_back(n);
    giving_faces.insert(giving_faces.end(), giving[n].begin(), giving[n].end());
    giving_begin_of.push_back(static_cast<int>(giving_faces.size()));
    sources.push_back(std::move(of_nodes[n]));
  }
  for (int n = 0; n < owned; ++n) reacting_area.push_back(total_area[n] > 0 ? total_area[n] : of_planes[n]);
  area = DeviceArray<Vec3>(areas);
  corners = DeviceArray<int>(nodes_of_faces);
  kind = DeviceArray<FaceKind>(kinds);
  given_node = DeviceArray<int>(given);
  giving_begin = DeviceArray<int>(giving_begin_of);
  giving_face = DeviceArray<int>(giving_faces);
  boundary_face = DeviceArray<int>(owned_faces);
  std::vector<int> places(kinds.size(), -1);
  for (std::size_t i = 0; i < owned_faces.size(); ++i) places[owned_faces[i]] = static_cast<int>(i);
  place_on_boundary = DeviceArray<int>(places);
}

/// Includes halo cells, for their effect at owned nodes: the slots of their rows of D are those of their owners.
void RebuiltTables::find_corners(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const LocalNumbering& of_faces = mesh.numbering<Face>();
  std::vector<std::vector<CornerOfCell>> corners_of(mesh.owned<Node>());
  const int sides = part.corners();
  std::vector<int> nodes, places, slot(static_cast<std::size_t>(sides) * static_cast<std::size_t>(part.cells()));
  std::vector<int> order(static_cast<std::size_t>(sides));
  for (int c = 0; c < part.cells(); ++c) {
    const std::span<const int> faces = part.cell_faces_of(c), nodes_of = part.cell_nodes_of(c);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return of_faces.global_id[faces[a]] < of_faces.global_id[faces[b]]; });
    for (int k = 0; k < sides; ++k) {
      const int corner = order[k], n = nodes_of[corner];
      slot[sides * c + corner] = k;
      if (n < mesh.owned<Node>()) corners_of[n].push_back({mesh.numbering<Cell>().global_id[c], sides * c + k});
      if (c >= mesh.owned<Cell>()) continue;
      nodes.push_back(n);
      places.push_back(part.cell_points_of(c)[corner]);
    }
  }
  opposite_node = DeviceArray<int>(nodes);
  if (!part.copy_node.empty()) opposite_copy_ = DeviceArray<int>(places);

  const IncidenceRows& cells = mesh.G.host();
  std::vector<signed char> slots;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    for (int k = cells.offset[f]; k < cells.offset[f + 1]; ++k) {
      const int c = cells.index[k];
      for (int corner = 0; corner < sides; ++corner) {
        if (part.cell_faces_of(c)[corner] == f) slots.push_back(static_cast<signed char>(slot[sides * c + corner]));
      }
    }
  }
  slot_in_cell = DeviceArray<signed char>(slots);

  std::vector<int> begin{0}, of_cell;
  for (auto& around : corners_of) {
    std::sort(around.begin(), around.end(),
              [](const CornerOfCell& a, const CornerOfCell& b) { return a.cell < b.cell; });
    for (const CornerOfCell& corner : around) of_cell.push_back(corner.place);
    begin.push_back(static_cast<int>(of_cell.size()));
  }
  corner_begin = DeviceArray<int>(begin);
  corner_of_cell = DeviceArray<int>(of_cell);
}

}  // namespace solenoid
