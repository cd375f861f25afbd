#include "physics/flow/reconstruct/linear_reconstruction.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "base/counts.hpp"
#include "mesh/csr.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/reconstruct/linear_reconstruction_rows.hpp"

namespace solenoid {

namespace {

/// A table of rows under construction.
template <class T>
struct Growing {
  std::vector<int> row, begin{0}, column;
  std::vector<T> weight;
  void add(int from, const T& value) { column.push_back(from), weight.push_back(value); }
  void end(int of) {
    row.push_back(of), begin.push_back(count_on_rank(std::ssize(column), "weights of velocities at nodes"));
  }
};

template <class T>
LinearReconstruction::Rows<T> kept(const Growing<T>& table) {
  return {DeviceArray<int>(table.row), DeviceArray<int>(table.begin), DeviceArray<int>(table.column),
          DeviceArray<T>(table.weight)};
}

/// The transpose, for rows below `rows`, each ascending in the global ids of the nodes. `for_each(visit)` calls
/// visit(row, node, weight) for all entries, twice, nodes with several of them in the same order both times.
template <class T, class ForEach>
Growing<T> transposed(const LocalMesh& mesh, int rows, const ForEach& for_each) {
  struct Entry {
    int node;
    T weight;
  };
  const std::vector<std::int64_t>& id = mesh.numbering<Node>().global_id;
  Csr<Entry> columns(rows, [&](const auto& visit) {
    for_each([&](int row, int node, const T& weight) {
      if (row >= 0) visit(row, Entry{node, weight});
    });
  });
  Growing<T> table;
  for (const int row : rows_by_length(rows, [&](int r) { return columns[r].size(); })) {
    const std::span<Entry> entries = columns[row];
    if (entries.empty()) continue;
    std::stable_sort(entries.begin(), entries.end(),
                     [&](const Entry& a, const Entry& b) { return id[a.node] < id[b.node]; });
    for (const Entry& entry : entries) table.add(entry.node, entry.weight);
    table.end(row);
  }
  return table;
}

/// Calls sum(row, begin, end) for each row.
template <class Rows, class Sum>
void for_rows(const Rows& rows, const Sum& sum) {
  const int *const row = rows.row.data(), *const begin = rows.begin.data();
  count_traffic(rows.bytes());
  forall(
      static_cast<int>(rows.row.size()), SOLENOID_KERNEL(int i) { sum(row[i], begin[i], begin[i + 1]); });
}

}  // namespace

LinearReconstruction::LinearReconstruction(const LocalMesh& mesh, const WideHaloMesh& wide,
                                           const FlowBoundaries& boundaries, const MemoryOf& /*scope*/) {
  std::optional<LinearNodeRows> found;
  mesh.comm().guard([&] { found = linear_node_rows(mesh, wide, boundaries); });
  const LinearNodeRows& rows = *found;
  const int owned = mesh.owned<Node>();
  Growing<Vec3> nodes;
  for (std::size_t i = 0; i < rows.node.size(); ++i) {
    const int n = rows.node[i];
    if (n >= owned) continue;
    for (int k = rows.begin[i]; k < rows.begin[i + 1]; ++k) nodes.add(rows.face[k], rows.weight[k]);
    nodes.end(n);
  }
  Growing<real> between;
  for (const LinearNodeRows::Between& of : rows.between) {
    if (of.node >= owned) continue;
    for (const auto& [source, weight] : of.sources) between.add(source, weight);
    between.end(of.node);
  }
  of_nodes_ = kept(nodes);
  of_faces_ = kept(transposed<Vec3>(mesh, mesh.owned<Face>(), [&](const auto& visit) {
    for (std::size_t i = 0; i < rows.node.size(); ++i) {
      for (int k = rows.begin[i]; k < rows.begin[i + 1]; ++k) visit(rows.face[k], rows.node[i], rows.weight[k]);
    }
  }));
  has_between_ = mesh.comm().sum(static_cast<std::int64_t>(between.row.size())) > 0;
  between_ = kept(between);
  of_sources_ = kept(transposed<real>(mesh, owned, [&](const auto& visit) {
    for (const LinearNodeRows::Between& of : rows.between) {
      for (const auto& [source, weight] : of.sources) visit(source, of.node, weight);
    }
  }));
}

void LinearReconstruction::compute(Exchanged<Face> flux, Field<Node, Vec3>& velocity) const {
  const int* const face = of_nodes_.column.data();
  const Vec3* const weight = of_nodes_.weight.data();
  const auto U = flux.view();
  const auto v = velocity.view();
  count_gathered(flux.field());
  count_owned(velocity);
  for_rows(
      of_nodes_, SOLENOID_KERNEL(int n, int begin, int end) {
        Vec3 sum{};
        for (int k = begin; k < end; ++k) sum += U[Index<Face>{face[k]}] * weight[k];
        v[Index<Node>{n}] = sum;
      });
  if (!has_between_) return;
  const auto known = halo(velocity).view();  // sources are other nodes, never interpolated ones
  const int* const source = between_.column.data();
  const real* const share = between_.weight.data();
  for_rows(
      between_, SOLENOID_KERNEL(int n, int begin, int end) {
        Vec3 sum{};
        for (int k = begin; k < end; ++k) sum += share[k] * known[Index<Node>{source[k]}];
        v[Index<Node>{n}] = sum;
      });
}

void LinearReconstruction::add_transposed(Field<Node, Vec3>& psi, Field<Face>& along) const {
  if (has_between_) {
    const auto known = halo(psi).view();  // receivers are never interpolated nodes
    const auto taken = psi.view();
    const int* const node = of_sources_.column.data();
    const real* const share = of_sources_.weight.data();
    for_rows(
        of_sources_, SOLENOID_KERNEL(int n, int begin, int end) {
          for (int k = begin; k < end; ++k) taken[Index<Node>{n}] += share[k] * known[Index<Node>{node[k]}];
        });
  }
  const auto p = halo(psi).view();
  const auto result = along.view();
  const int* const node = of_faces_.column.data();
  const Vec3* const weight = of_faces_.weight.data();
  count_gathered(psi);
  count_owned(along, along);
  for_rows(
      of_faces_, SOLENOID_KERNEL(int f, int begin, int end) {
        real sum = 0;
        for (int k = begin; k < end; ++k) sum += dot(weight[k], p[Index<Node>{node[k]}]);
        result[Index<Face>{f}] += sum;
      });
}

}  // namespace solenoid
