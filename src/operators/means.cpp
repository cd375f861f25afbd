#include "operators/means.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "mesh/csr.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/nedelec.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// The nodes or edges of all cells, one cell after the other.
template <class L>
std::vector<int> of_cells(const MeshPart& part) {
  if (std::is_same_v<L, Edge> && part.dimension == 3) return edges_of_cells(part);
  return part.cell_nodes;
}

}  // namespace

template <class L>
MeansAround<L>::MeansAround(const LocalMesh& mesh, std::vector<int> entities) {
  const MeshPart& part = mesh.part();
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  std::vector<int> place(mesh.owned<L>(), static_cast<int>(entities.size()));
  for (std::size_t k = 0; k < entities.size(); ++k) place[entities[k]] = static_cast<int>(k);

  const std::vector<int> all = entities.empty() ? std::vector<int>() : of_cells<L>(part);
  const std::size_t per_cell = all.size() / static_cast<std::size_t>(std::max(part.cells(), 1));
  Csr<int> cells_of(static_cast<int>(entities.size()), [&](const auto& visit) {
    for (std::size_t slot = 0; slot < all.size(); ++slot) {
      if (all[slot] < mesh.owned<L>()) visit(place[all[slot]], static_cast<int>(slot / per_cell));
    }
  });
  const auto& id = mesh.numbering<Cell>().global_id;
  std::vector<int> offset{0}, cells;
  for (int k = 0; k < cells_of.rows(); ++k) {
    std::sort(cells_of[k].begin(), cells_of[k].end(), [&](int a, int b) { return id[a] < id[b]; });
    cells.insert(cells.end(), cells_of[k].begin(), cells_of[k].end());
    offset.push_back(static_cast<int>(cells.size()));
  }
  entity_ = DeviceArray<int>(entities);
  offset_ = DeviceArray<int>(offset);
  cell_ = DeviceArray<int>(cells);
}

template <class L>
void MeansAround<L>::compute(Exchanged<Cell, Vec3> vectors, Field<L, Vec3>& means) const {
  const auto V = means.mesh().cell_volume();
  const auto in_cells = vectors.view();
  const auto result = means.view();
  const int *const entity = entity_.data(), *const offset = offset_.data(), *const cell = cell_.data();
  const std::size_t gathered = std::min(cell_.size(), static_cast<std::size_t>(vectors.field().total()));
  count_traffic(static_cast<std::int64_t>((entity_.size() + offset_.size() + cell_.size()) * sizeof(int) +
                                          gathered * (sizeof(Vec3) + sizeof(real)) + entity_.size() * sizeof(Vec3)));
  forall(
      static_cast<int>(entity_.size()), SOLENOID_KERNEL(int i) {
        Vec3 sum{};
        real volume = 0;
        for (int k = offset[i]; k < offset[i + 1]; ++k) {
          const Index<Cell> c{cell[k]};
          sum += V[c] * in_cells[c];
          volume += V[c];
        }
        result[Index<L>{entity[i]}] = sum / volume;
      });
}

template class MeansAround<Node>;
template class MeansAround<Edge>;

namespace {

std::vector<int> nodes_behind(const LocalMesh& mesh, const std::vector<char>& is_open) {
  std::vector<int> nodes;
  for (std::size_t i = 0; i < is_open.size(); ++i) {
    if (!is_open[i]) continue;
    const int n = opposite_node(mesh.part(), mesh.boundary()[i]);
    if (n < mesh.owned<Node>()) nodes.push_back(n);
  }
  return nodes;
}

}  // namespace

int opposite_node(const MeshPart& part, const BoundaryFace& face) {
  const std::span<const int> corners = part.face_nodes_of(face.face);
  for (const int n : part.cell_nodes_of(face.cell)) {
    if (std::find(corners.begin(), corners.end(), n) == corners.end()) return n;
  }
  return corners[0];
}

OpenVelocity::OpenVelocity(const LocalMesh& mesh, const std::vector<char>& is_open)
    : means_(mesh, nodes_behind(mesh, is_open)) {}

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
