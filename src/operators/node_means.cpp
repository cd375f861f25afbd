#include "operators/node_means.hpp"

#include <algorithm>

#include "mesh/csr.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

NodeMeans::NodeMeans(const LocalMesh& mesh, std::vector<int> nodes) {
  const MeshPart& part = mesh.part();
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<int> place(mesh.owned<Node>(), static_cast<int>(nodes.size()));
  for (std::size_t k = 0; k < nodes.size(); ++k) place[nodes[k]] = static_cast<int>(k);

  Csr<int> cells_of(static_cast<int>(nodes.size()), [&](const auto& visit) {
    for (int c = 0; c < part.cells(); ++c) {
      for (const int n : part.cell_nodes_of(c)) {
        if (n < mesh.owned<Node>()) visit(place[n], c);
      }
    }
  });
  const auto& id = mesh.numbering<Cell>().global_id;
  std::vector<int> offset{0}, cells;
  for (int k = 0; k < cells_of.rows(); ++k) {
    std::sort(cells_of[k].begin(), cells_of[k].end(), [&](int a, int b) { return id[a] < id[b]; });
    cells.insert(cells.end(), cells_of[k].begin(), cells_of[k].end());
    offset.push_back(static_cast<int>(cells.size()));
  }
  node_ = DeviceArray<int>(nodes);
  offset_ = DeviceArray<int>(offset);
  cell_ = DeviceArray<int>(cells);
}

void NodeMeans::find(Exchanged<Cell, Vec3> vectors, Field<Node, Vec3>& means) const {
  const auto V = means.mesh().cell_volume();
  const auto in_cells = vectors.view();
  const auto at_nodes = means.view();
  const int *const node = node_.data(), *const offset = offset_.data(), *const cell = cell_.data();
  const std::size_t gathered = std::min(cell_.size(), static_cast<std::size_t>(vectors.field().total()));
  count_traffic(static_cast<std::int64_t>((node_.size() + offset_.size() + cell_.size()) * sizeof(int) +
                                          gathered * (sizeof(Vec3) + sizeof(real)) + node_.size() * sizeof(Vec3)));
  forall(
      static_cast<int>(node_.size()), SOLENOID_KERNEL(int i) {
        Vec3 sum{};
        real volume = 0;
        for (int k = offset[i]; k < offset[i + 1]; ++k) {
          const Index<Cell> c{cell[k]};
          sum += V[c] * in_cells[c];
          volume += V[c];
        }
        at_nodes[Index<Node>{node[i]}] = sum / volume;
      });
}

}  // namespace solenoid
