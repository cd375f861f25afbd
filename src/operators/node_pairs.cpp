#include "operators/node_pairs.hpp"

#include <array>

#include "operators/assemble.hpp"
#include "operators/nedelec.hpp"

namespace solenoid {

namespace {

/// The corners of a cell's pair k: in 2D those of the side opposite corner k.
std::array<int, 2> corners_of(int dimension, int k) {
  if (dimension == 3) return {edge_ends[k][0], edge_ends[k][1]};
  return {(k + 1) % 3, (k + 2) % 3};
}

int pairs_per_cell(int dimension) { return dimension == 2 ? 3 : 6; }

/// The two nodes of a pair, ascending in their global ids.
std::span<const int> nodes_of(const MeshPart& part, int pair) {
  return part.dimension == 2 ? part.face_nodes_of(pair) : part.edge_nodes_of(pair);
}

/// The pairs around each owned node.
IncidenceRows rows_around(const LocalMesh& mesh, const Layout& pairs) {
  IncidenceRows ends;
  for (int pair = 0; pair < pairs.total(); ++pair) {
    const std::span<const int> v = nodes_of(mesh.part(), pair);
    ends.add(v[0], 1);
    ends.add(v[1], -1);
    ends.end_row();
  }
  return transpose(ends, mesh.owned<Node>(), pairs.numbering(), 1);
}

/// The faces around each owned pair that contain one of its nodes, with the sign of F_a - F_b in their cells.
IncidenceRows rows_across(const LocalMesh& mesh, const CellTable& pairs, int owned) {
  const MeshPart& part = mesh.part();
  const std::vector<std::int64_t>&node_id = part.node_numbering.global_id, &face_id = part.face_numbering.global_id;
  const auto ascending = [&](int a, int b) { return node_id[a] < node_id[b]; };
  const SlotsInCells slots(part, pairs, owned);
  IncidenceRows rows;
  std::vector<IncidenceRowEntry> row;
  for (int pair = 0; pair < owned; ++pair) {
    row.clear();
    const int first = nodes_of(part, pair)[0];
    for (const int slot : slots[pair]) {
      const int cell = slot / pairs.per_cell;
      for (const int corner : corners_of(part.dimension, slot % pairs.per_cell)) {
        const int face = part.cell_faces_of(cell)[corner];
        const int out = part.face_sign(cell, corner, ascending);
        row.push_back({face_id[face], face, part.cell_nodes_of(cell)[corner] == first ? out : -out});
      }
    }
    rows.add_sorted(row);
  }
  return rows;
}

/// Sums of share(cell, i, j) over the cells around each owned pair.
template <class Share>
std::vector<real> sums_over_cells(const LocalMesh& mesh, const CellTable& pairs, int owned, const Share& share) {
  const SlotsInCells slots(mesh.part(), pairs, owned);
  std::vector<real> sums(owned, 0);
  for (int pair = 0; pair < owned; ++pair) {
    for (const int slot : slots[pair]) {
      const auto [i, j] = corners_of(mesh.dimension(), slot % pairs.per_cell);
      sums[pair] += share(slot / pairs.per_cell, i, j);
    }
  }
  return sums;
}

}  // namespace

NodePairs::NodePairs(const LocalMesh& mesh)
    : mesh_(mesh),
      of_cells_(mesh.dimension() == 2 ? mesh.part().cell_faces : edges_of_cells(mesh.part())),
      around_(rows_around(mesh, layout())),
      crossing_(rows_across(mesh, {of_cells_, pairs_per_cell(mesh.dimension())}, layout().owned())) {
  const IncidenceRows& around = around_.host();
  std::vector<int> other, ends;
  for (std::size_t slot = 0; slot < around.index.size(); ++slot) {
    other.push_back(nodes_of(mesh.part(), around.index[slot])[around.sign[slot] > 0 ? 1 : 0]);
  }
  for (int pair = 0; pair < layout().owned(); ++pair) {
    const std::span<const int> v = nodes_of(mesh.part(), pair);
    ends.insert(ends.end(), v.begin(), v.end());
  }
  other_ = DeviceArray<int>(other);
  ends_ = DeviceArray<int>(ends);
}

std::vector<real> NodePairs::conductance(const std::vector<real>& weight) const {
  const auto corners = static_cast<std::size_t>(mesh_.part().corners());
  const std::vector<Vec3> gradients = shape_gradients(mesh_.part(), mesh_.geometry(), mesh_.total<Cell>());
  return sums_over_cells(
      mesh_, {of_cells_, pairs_per_cell(mesh_.dimension())}, layout().owned(), [&](int cell, int i, int j) {
        const auto of_cell = std::span(gradients).subspan(static_cast<std::size_t>(cell) * corners, corners);
        return -weight[cell] * mesh_.geometry().cell_volume[cell] * dot(of_cell[i], of_cell[j]);
      });
}

std::vector<real> NodePairs::mass(const std::vector<real>& weight) const {
  const int d = mesh_.dimension();
  return sums_over_cells(mesh_, {of_cells_, pairs_per_cell(d)}, layout().owned(), [&](int cell, int, int) {
    return weight[cell] * mesh_.geometry().cell_volume[cell] / ((d + 1) * (d + 2));
  });
}

}  // namespace solenoid
