#include "operators/cell_vorticity.hpp"

#include "base/error.hpp"
#include "operators/nedelec.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

CellVorticity::CellVorticity(const LocalMesh& mesh) : mesh_(mesh) {
  const MeshPart& part = mesh.part();
  require(part.dimension == 3, [] { return "edges with line integrals are those of tetrahedra"; });
  std::vector<int> edges = edges_of_cells(part);
  const auto count = static_cast<std::size_t>(mesh.owned<Cell>()) * 6;
  std::vector<Vec3> weights;
  for (std::size_t slot = 0; slot < count; ++slot) {
    const auto [a, b] = edge_ends[slot % 6];
    const int cell = static_cast<int>(slot / 6);
    const Vec3 along = shape_gradient(part, mesh.geometry(), cell, b) - shape_gradient(part, mesh.geometry(), cell, a);
    const bool is_along = part.edge_nodes_of(edges[slot])[0] == part.cell_nodes_of(cell)[a];
    weights.push_back((is_along ? real{0.25} : real{-0.25}) * along);
  }
  edges.resize(count);
  edge_ = DeviceArray<int>(edges);
  weight_ = DeviceArray<Vec3>(weights);
}

void CellVorticity::find(Exchanged<Edge> vorticity, Field<Cell, Vec3>& in_cells) const {
  const auto omega = vorticity.view();
  const auto result = in_cells.view();
  const int* const edge = edge_.data();
  const Vec3* const weight = weight_.data();
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int c) {
        Vec3 sum{};
        for (int k = 6 * c; k < 6 * c + 6; ++k) sum += omega[Index<Edge>{edge[k]}] * weight[k];
        result[Index<Cell>{c}] = sum;
      });
}

}  // namespace solenoid
