#include "mesh/partition.hpp"

#include <metis.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

std::vector<int> partition_cells(const GlobalMesh& mesh, int parts) {
  const int cells = mesh.cells();
  std::vector<int> owner(cells, 0);
  if (parts == 1) return owner;
  if (cells <= parts) {
    std::iota(owner.begin(), owner.end(), 0);
    return owner;
  }

  std::vector<idx_t> offset{0}, neighbours;
  offset.reserve(cells + 1);
  neighbours.reserve(mesh.cell_faces.size());
  for (int c = 0; c < cells; ++c) {
    for (const int f : mesh.cell_faces_of(c)) {
      const std::span<const int> beside = mesh.face_cells_of(f);
      const int other = beside[0] == c ? beside[1] : beside[0];
      if (other >= 0) neighbours.push_back(other);
    }
    offset.push_back(static_cast<idx_t>(neighbours.size()));
  }

  idx_t vertices = cells, constraints = 1, part_count = parts, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> part(cells);
  const int status = METIS_PartGraphKway(&vertices, &constraints, offset.data(), neighbours.data(), nullptr, nullptr,
                                         nullptr, &part_count, nullptr, nullptr, options, &cut, part.data());
  require(status == METIS_OK,
          [&] { return message("METIS could not divide {} cells into {} parts (status {})", cells, parts, status); });
  owner.assign(part.begin(), part.end());
  return owner;
}

PartitionReport report_partition(const GlobalMesh& mesh, const std::vector<int>& owner, int ranks) {
  PartitionReport report;
  report.ranks = ranks;
  std::vector<std::int64_t> owned(ranks, 0), halo(ranks, 0);
  std::vector<std::vector<int>> owners_at(mesh.nodes());  // ranks around each node
  for (int c = 0; c < mesh.cells(); ++c) {
    ++owned[owner[c]];
    for (const int n : mesh.cell_nodes_of(c)) {
      std::vector<int>& at = owners_at[n];
      if (std::find(at.begin(), at.end(), owner[c]) == at.end()) at.push_back(owner[c]);
    }
  }
  std::set<std::pair<int, int>> exchanges;
  std::vector<int> seen_by;
  for (int c = 0; c < mesh.cells(); ++c) {
    seen_by.clear();
    for (const int n : mesh.cell_nodes_of(c)) {
      for (int rank : owners_at[n]) {
        if (rank != owner[c] && std::find(seen_by.begin(), seen_by.end(), rank) == seen_by.end())
          seen_by.push_back(rank);
      }
    }
    for (int rank : seen_by) {
      ++halo[rank];
      exchanges.emplace(rank, owner[c]);
    }
  }
  for (int f = 0; f < mesh.faces(); ++f) {
    const std::span<const int> beside = mesh.face_cells_of(f);
    report.cut_faces += beside[1] >= 0 && owner[beside[0]] != owner[beside[1]];
  }
  std::vector<int> neighbours(ranks, 0);
  for (const auto& exchange : exchanges) ++neighbours[exchange.first];
  const auto [least, most] = std::minmax_element(owned.begin(), owned.end());
  report.cells_min = *least;
  report.cells_max = *most;
  report.imbalance = static_cast<double>(*most) * ranks / mesh.cells() - 1;
  report.halo_cells_max = *std::max_element(halo.begin(), halo.end());
  report.halo_cells_sum = std::accumulate(halo.begin(), halo.end(), std::int64_t{0});
  report.neighbours_max = *std::max_element(neighbours.begin(), neighbours.end());
  return report;
}

}  // namespace solenoid
