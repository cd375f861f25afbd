#include "physics/flow/reconstruct/linear_reconstruction.hpp"

#include <algorithm>
#include <optional>

#include "parallel/backend.hpp"
#include "physics/flow/reconstruct/linear_reconstruction_rows.hpp"

namespace solenoid {

namespace {

/// Entries of a transpose by row, sorted by the nodes' global ids.
template <class T>
class Columns {
 public:
  Columns(const LocalMesh& mesh, int rows) : id_(mesh.numbering<Node>().global_id), of_row_(rows) {}
  void add(int row, int node, const T& weight) {
    if (row >= 0 && row < static_cast<int>(of_row_.size())) of_row_[row].push_back({node, weight});
  }
  template <class Visit>
  void for_each_row(const Visit& visit) {
    for (std::size_t i = 0; i < of_row_.size(); ++i) {
      auto& entries = of_row_[i];
      if (entries.empty()) continue;
      std::stable_sort(entries.begin(), entries.end(),
                       [&](const Entry& a, const Entry& b) { return id_[a.node] < id_[b.node]; });
      visit(static_cast<int>(i), entries);
    }
  }
  struct Entry {
    int node;
    T weight;
  };

 private:
  const std::vector<std::int64_t>& id_;
  std::vector<std::vector<Entry>> of_row_;
};

/// A table of rows under construction.
template <class T>
struct Growing {
  std::vector<int> row, begin{0}, column;
  std::vector<T> weight;
  void add(int from, const T& value) { column.push_back(from), weight.push_back(value); }
  void end(int of) { row.push_back(of), begin.push_back(static_cast<int>(column.size())); }
};

template <class T>
LinearReconstruction::Rows<T> kept(const Growing<T>& table) {
  return {DeviceArray<int>(table.row), DeviceArray<int>(table.begin), DeviceArray<int>(table.column),
          DeviceArray<T>(table.weight)};
}

template <class T>
Growing<T> transposed(Columns<T>& columns) {
  Growing<T> table;
  columns.for_each_row([&](int row, const auto& entries) {
    for (const auto& entry : entries) table.add(entry.node, entry.weight);
    table.end(row);
  });
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
                                           const FlowBoundaries& boundaries) {
  std::optional<LinearNodeRows> found;
  mesh.comm().guard([&] { found = linear_node_rows(mesh, wide, boundaries); });
  const LinearNodeRows& rows = *found;
  const int owned = mesh.owned<Node>();
  Growing<Vec3> nodes;
  Columns<Vec3> of_faces(mesh, mesh.owned<Face>());
  for (std::size_t i = 0; i < rows.node.size(); ++i) {
    const int n = rows.node[i];
    for (int k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
      if (n < owned) nodes.add(rows.face[k], rows.weight[k]);
      of_faces.add(rows.face[k], n, rows.weight[k]);
    }
    if (n < owned) nodes.end(n);
  }
  Growing<real> between;
  Columns<real> of_sources(mesh, owned);
  for (const LinearNodeRows::Between& of : rows.between) {
    for (const auto& [source, weight] : of.sources) {
      if (of.node < owned) between.add(source, weight);
      of_sources.add(source, of.node, weight);
    }
    if (of.node < owned) between.end(of.node);
  }
  of_nodes_ = kept(nodes);
  of_faces_ = kept(transposed(of_faces));
  has_between_ = mesh.comm().sum(static_cast<std::int64_t>(between.row.size())) > 0;
  between_ = kept(between);
  of_sources_ = kept(transposed(of_sources));
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
