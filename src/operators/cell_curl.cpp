#include "operators/cell_curl.hpp"

#include "mesh/csr.hpp"
#include "mesh/incidence.hpp"
#include "operators/assemble.hpp"
#include "operators/nedelec.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

constexpr real third_part = real{1} / 3;

/// Corners at the ends of the edge opposite to each of `edge_ends`, from its right to its left in a cell of positive
/// orientation.
constexpr int opposite_ends[6][2] = {{2, 3}, {3, 1}, {1, 2}, {0, 3}, {2, 0}, {0, 1}};

/// Per edge of local cells, six each: whether E is opposite to opposite_ends.
std::vector<char> turned_edges(const MeshPart& part, const std::vector<int>& edges) {
  std::vector<char> turned;
  turned.reserve(edges.size());
  for (int c = 0; c < part.cells(); ++c) {
    const std::span<const int> p = part.cell_points_of(c), nodes = part.cell_nodes_of(c);
    const Vec3 origin = part.points[p[0]];
    const bool is_mirrored =
        dot(cross(part.points[p[1]] - origin, part.points[p[2]] - origin), part.points[p[3]] - origin) < 0;
    for (int k = 0; k < 6; ++k) {
      const bool is_backward = part.edge_nodes_of(edges[6 * c + k])[0] != nodes[edge_ends[k][0]];
      turned.push_back(is_mirrored != is_backward);
    }
  }
  return turned;
}

}  // namespace

CellCurl::CellCurl(const LocalMesh& mesh, const MemoryOf& /*scope*/) : mesh_(mesh), points_(mesh.part().points) {
  const MeshPart& part = mesh.part();
  const std::vector<int> edges = edges_of_cells(part);
  const std::vector<char> turned = turned_edges(part, edges);
  std::vector<int> codes, begin{0};
  std::vector<Beside> beside;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    for (int k = 6 * c; k < 6 * (c + 1); ++k) codes.push_back(turned[k] ? ~edges[k] : edges[k]);
  }
  const SlotsInCells slots(part, {edges, 6}, mesh.owned<Edge>());
  const std::vector<int> edge_of_row = rows_by_length(mesh.owned<Edge>(), [&](int e) { return std::ssize(slots[e]); });
  for (const int e : edge_of_row) {
    for (const int slot : slots[e]) {
      const std::span<const int> p = part.cell_points_of(slot / 6);
      const auto [from, to] = opposite_ends[slot % 6];
      beside.push_back(turned[slot] ? Beside{slot / 6, p[to], p[from]} : Beside{slot / 6, p[from], p[to]});
    }
    begin.push_back(static_cast<int>(beside.size()));
  }
  edge_of_cell_ = DeviceArray<int>(codes);
  edge_of_row_ = DeviceArray<int>(edge_of_row);
  begin_ = DeviceArray<int>(begin);
  beside_ = DeviceArray<Beside>(beside);
}

void CellCurl::compute(Exchanged<Edge> s, Field<Cell, Vec3>& velocity) const {
  const Vec3* const points = points_.data();
  const int *const point = mesh_.cell_points(), *const code = edge_of_cell_.data();
  const auto V = mesh_.cell_volume();
  const auto potential = s.view();
  const auto u = velocity.view();
  const int slots = 6 * velocity.owned();
  count_traffic(static_cast<std::int64_t>((10 * sizeof(int) + sizeof(real)) * velocity.owned()));
  count_traffic(static_cast<std::int64_t>(sizeof(Vec3) * points_.size()));
  count_gathered(s.field());
  count_owned(velocity);
  forall(
      velocity.owned(), SOLENOID_KERNEL(int i) {
        constexpr int ahead = 96;
        const Index<Cell> c{i};
        Vec3 of[4];
        for (int k = 0; k < 4; ++k) of[k] = points[point[4 * i + k]];
        real along[6];
        for (int k = 0; k < 6; ++k) {
          if (const int next = 6 * i + k + ahead; next < slots) {
            start_to_fetch(potential.data[code[next] ^ (code[next] >> 31)]);
          }
          const int e = code[6 * i + k], turned = e >> 31;
          along[k] = static_cast<real>(turned | 1) * potential[Index<Edge>{e ^ turned}];  // no branch: signs are random
        }
        const Vec3 sum = along[0] * (of[3] - of[2]) + along[1] * (of[1] - of[3]) + along[2] * (of[2] - of[1]) +
                         along[3] * (of[3] - of[0]) + along[4] * (of[0] - of[2]) + along[5] * (of[1] - of[0]);
        u[c] = (third_part / V[c]) * sum;
      });
}

void CellCurl::circulate(Exchanged<Cell, Vec3> a, Field<Edge>& circulation) const {
  const Vec3* const points = points_.data();
  const int *const edge = edge_of_row_.data(), *const begin = begin_.data();
  const Beside* const beside = beside_.data();
  const auto of_cells = a.view();
  const auto result = circulation.view();
  const int count = static_cast<int>(beside_.size());
  count_traffic(static_cast<std::int64_t>(sizeof(Beside) * beside_.size() + sizeof(Vec3) * points_.size()));
  count_traffic(static_cast<std::int64_t>(sizeof(int) * edge_of_row_.size()));
  count_gathered(a.field());
  count_owned(circulation);
  forall(
      circulation.owned(), SOLENOID_KERNEL(int i) {
        constexpr int ahead = 32;
        real sum = 0;
        for (int k = begin[i]; k < begin[i + 1]; ++k) {
          if (k + ahead < count) start_to_fetch(of_cells.data[beside[k + ahead].cell]);
          const auto [cell, from, to] = beside[k];
          sum += dot(points[to] - points[from], of_cells[Index<Cell>{cell}]);
        }
        result[Index<Edge>{edge[i]}] = third_part * sum;
      });
}

std::vector<real> squares_of_curls(const LocalMesh& mesh, const std::vector<real>& weight) {
  const MeshPart& part = mesh.part();
  const std::vector<int> edges = edges_of_cells(part);
  const SlotsInCells slots(part, {edges, 6}, mesh.owned<Edge>());
  std::vector<real> squares;
  for (int e = 0; e < mesh.owned<Edge>(); ++e) {
    real sum = 0;
    for (const int slot : slots[e]) {
      const int c = slot / 6;
      const std::span<const int> p = part.cell_points_of(c);
      const auto [from, to] = opposite_ends[slot % 6];
      const Vec3 curl = (part.points[p[to]] - part.points[p[from]]) / (3 * mesh.geometry().cell_volume[c]);
      sum += weight[c] * dot(curl, curl);
    }
    squares.push_back(sum);
  }
  return squares;
}

}  // namespace solenoid
