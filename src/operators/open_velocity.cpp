#include "operators/open_velocity.hpp"

#include <algorithm>

#include "mesh/csr.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

int opposite_node(const MeshPart& part, const BoundaryFace& face) {
  const std::span<const int> corners = part.face_nodes_of(face.face);
  for (const int n : part.cell_nodes_of(face.cell)) {
    if (std::find(corners.begin(), corners.end(), n) == corners.end()) return n;
  }
  return corners[0];
}

OpenVelocity::OpenVelocity(const LocalMesh& mesh, const std::vector<char>& is_open) {
  const MeshPart& part = mesh.part();
  std::vector<int> nodes;
  for (std::size_t i = 0; i < is_open.size(); ++i) {
    if (!is_open[i]) continue;
    const int n = opposite_node(part, mesh.boundary()[i]);
    if (n < mesh.owned<Node>()) nodes.push_back(n);
  }
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

void OpenVelocity::find(Exchanged<Cell, Vec3> velocity, Field<Node, Vec3>& behind) const {
  const auto V = behind.mesh().cell_volume();
  const auto in_cells = velocity.view();
  const auto u = behind.view();
  const int *const node = node_.data(), *const offset = offset_.data(), *const cell = cell_.data();
  forall(
      static_cast<int>(node_.size()), SOLENOID_KERNEL(int i) {
        Vec3 sum{};
        real volume = 0;
        for (int k = offset[i]; k < offset[i + 1]; ++k) {
          const Index<Cell> c{cell[k]};
          sum += V[c] * in_cells[c];
          volume += V[c];
        }
        u[Index<Node>{node[i]}] = sum / volume;
      });
}

}  // namespace solenoid
