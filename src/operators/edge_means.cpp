#include "operators/edge_means.hpp"

#include <array>

#include "operators/boundary_circulation.hpp"
#include "operators/nedelec.hpp"

namespace solenoid {

EdgeMeans EdgeMeans::in_cells(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const auto cells = static_cast<std::size_t>(mesh.owned<Cell>());
  if (part.dimension == 2) {
    const std::vector<int> nodes(part.cell_nodes.begin(), part.cell_nodes.begin() + std::ptrdiff_t(3 * cells));
    return {3, nodes, std::vector<Vec3>(3 * cells, Vec3{0, 0, real{1} / 3})};
  }
  std::vector<int> edges = edges_of_cells(part);
  edges.resize(6 * cells);
  std::vector<Vec3> weights;
  for (std::size_t slot = 0; slot < edges.size(); ++slot) {
    const auto [a, b] = edge_ends[slot % 6];
    const int cell = static_cast<int>(slot / 6);
    const Vec3 along = shape_gradient(part, mesh.geometry(), cell, b) - shape_gradient(part, mesh.geometry(), cell, a);
    const bool is_along = part.edge_nodes_of(edges[slot])[0] == part.cell_nodes_of(cell)[a];
    weights.push_back((is_along ? real{0.25} : real{-0.25}) * along);
  }
  return {6, edges, weights};
}

EdgeMeans EdgeMeans::on_boundary(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  std::vector<int> edges;
  std::vector<Vec3> weights;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned) continue;
    if (part.dimension == 2) {
      for (const int n : part.face_nodes_of(b.face)) {
        edges.push_back(n);
        weights.push_back({0, 0, real{1} / 2});
      }
      continue;
    }
    const std::array<Vec3, 3> gradient = triangle_gradients(part, b.face);
    const std::span<const int> nodes = part.face_nodes_of(b.face), of_face = part.face_edges_of(b.face);
    for (std::size_t e = 0; e < 3; ++e) {
      const auto [from, to] = triangle_edge_ends[e];
      const real sign = part.edge_nodes_of(of_face[e])[0] == nodes[from] ? real{1} : real{-1};
      edges.push_back(of_face[e]);
      weights.push_back((sign / 3) * (gradient[to] - gradient[from]));
    }
  }
  return {part.dimension, edges, weights};
}

}  // namespace solenoid
