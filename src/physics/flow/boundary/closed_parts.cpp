#include "physics/flow/boundary/closed_parts.hpp"

#include <algorithm>

#include "mesh/disjoint_sets.hpp"
#include "mesh/host_exchange.hpp"
#include "operators/assemble.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Lowest global cell id in the connected part of the domain around each local cell. Collective.
std::vector<std::int64_t> lowest_in_part(const LocalMesh& mesh) {
  const LocalNumbering& cells = mesh.numbering<Cell>();
  const CellsOfFaces of_faces(mesh.part());
  const IncidenceRows& faces = mesh.D.host();
  const HostExchange exchange(mesh.comm(), cells);
  DisjointSets sets(cells.total());
  for (int c = 0; c < cells.owned; ++c) {
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int other = of_faces.across(faces.index[k], c);
      if (other >= 0) sets.join(c, other);
    }
  }
  std::vector<std::int64_t> lowest(cells.global_id.begin(), cells.global_id.end());
  for (std::int64_t changes = 1; changes > 0;) {
    const std::vector<std::int64_t> before = lowest;
    for (int c = 0; c < cells.total(); ++c) {
      std::int64_t& of_set = lowest[sets.lowest(c)];
      of_set = std::min(of_set, lowest[c]);
    }
    for (int c = 0; c < cells.total(); ++c) lowest[c] = lowest[sets.lowest(c)];
    exchange(lowest);
    changes = mesh.comm().sum(std::int64_t{lowest != before});
  }
  return lowest;
}

std::vector<std::int64_t> distinct(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// sum_c V_c v_c over the owned cells of a part, or the sum of V_c if `values` is null.
PartialSum integral_in(const LocalMesh& mesh, const DeviceArray<int>& parts, int part, const Field<Cell>* values) {
  const auto V = mesh.cell_volume();
  const int* const of_cell = parts.data();
  const auto v = values ? values->view() : View<Cell, const real>{};
  return reduce_sum(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        if (of_cell[i] != part) return real{0};
        return v.data ? V[c] * v[c] : V[c];
      });
}

}  // namespace

ClosedParts::ClosedParts(const LocalMesh& mesh, const std::vector<char>& is_open) : mesh_(mesh) {
  const std::vector<std::int64_t> lowest = lowest_in_part(mesh);
  const auto owned = static_cast<std::size_t>(mesh.owned<Cell>());
  std::vector<std::int64_t> open;
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    if (is_open[i]) open.push_back(lowest[mesh.boundary()[i].cell]);
  }
  open = distinct(from_all_ranks(mesh.comm(), distinct(open)));
  std::vector<std::int64_t> closed = distinct({lowest.begin(), lowest.begin() + owned});
  std::erase_if(closed, [&](std::int64_t part) { return std::binary_search(open.begin(), open.end(), part); });
  closed = distinct(from_all_ranks(mesh.comm(), closed));
  count_ = static_cast<int>(closed.size());
  if (count_ == 0) return;
  std::vector<int> part(owned);
  for (std::size_t c = 0; c < owned; ++c) {
    const auto found = std::lower_bound(closed.begin(), closed.end(), lowest[c]);
    part[c] = found != closed.end() && *found == lowest[c] ? static_cast<int>(found - closed.begin()) : -1;
  }
  part_ = DeviceArray<int>(part);
  std::vector<PartialSum> volumes;
  for (int p = 0; p < count_; ++p) volumes.push_back(integral_in(mesh, part_, p, nullptr));
  volume_ = totals(mesh.comm(), volumes);
}

void ClosedParts::remove_means(Field<Cell>& values) const {
  if (count_ == 0) return;
  std::vector<PartialSum> owned;
  for (int p = 0; p < count_; ++p) owned.push_back(integral_in(mesh_, part_, p, &values));
  const std::vector<real> sums = totals(mesh_.comm(), owned);
  const int* const of_cell = part_.data();
  const auto v = values.view();
  for (int p = 0; p < count_; ++p) {
    const real mean = sums[p] / volume_[p];
    forall(
        values.owned(), SOLENOID_KERNEL(int i) {
          if (of_cell[i] == p) v[Index<Cell>{i}] -= mean;
        });
  }
}

}  // namespace solenoid
