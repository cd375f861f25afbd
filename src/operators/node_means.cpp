#include "operators/node_means.hpp"

#include <algorithm>
#include <type_traits>

#include "mesh/csr.hpp"
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

}  // namespace solenoid
