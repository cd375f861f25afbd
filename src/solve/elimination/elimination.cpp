#include "solve/elimination/elimination.hpp"

#include "solve/multigrid/host_level.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace elimination {  // public types: nvcc accepts no private ones as kernel arguments

/// y -= product, on a level.
struct Forward {
  float* y;
  int first;
  SOLENOID_HD void operator()(Index<Unknown> row, float product) const { y[first + row.value] -= product; }
};

/// x = product, on the last level.
struct Direct {
  float* x;
  int first;
  SOLENOID_HD void operator()(Index<Unknown> row, float product) const { x[first + row.value] = product; }
};

/// x = y - product, on a level.
struct Backward {
  const float* y;
  float* x;
  int first;
  SOLENOID_HD void operator()(Index<Unknown> row, float product) const {
    const int i = first + row.value;
    x[i] = y[i] - product;
  }
};

}  // namespace elimination

namespace {

using FactorRows = SparseMatrix<Unknown, Unknown, float>;

/// Calls use(row, product of the row with x) for all rows. `exchange`: refreshes the copies in x meanwhile that no
/// earlier pass has; nullptr if there are none. Collective.
template <class Use>
void over_factor_rows(const FactorRows& matrix, DeviceArray<float>& x, HaloExchange* exchange, const Use& use) {
  using Pass = RowPass<Unknown, Unknown, float, float, Use>;
  const View<Unknown, const float> source{x.data()};
  const int rows = matrix.row_count();
  count_traffic(static_cast<std::int64_t>(matrix.bytes()));
  const auto run = [&](int items, const int* slices) {
    const Pass pass{matrix.rows(), source, rows, slices, use};
    if constexpr (most_shares > 1) {
      if (matrix.shares() > 1) return forall_shared<float>(items, matrix.shares(), pass);
    }
    forall(items, pass);
  };
  if (!exchange) return run(rows, nullptr);
  exchange->start(x.data());
  run(static_cast<int>(matrix.inner_slices().size()) * pack_width, matrix.inner_slices().data());
  exchange->finish();
  run(static_cast<int>(matrix.outer_slices().size()) * pack_width, matrix.outer_slices().data());
}

/// y_place = weight r. Entity by entity: the places of each level ascend, and no cache line is fetched for one level
/// after the other.
void sort_by_level(const DeviceArray<int>& place, const DeviceArray<real>& weight, const real* r, float* y) {
  const int* const at = place.data();
  const real* const w = weight.data();
  forall(
      static_cast<int>(weight.size()), SOLENOID_KERNEL(int i) { y[at[i]] = static_cast<float>(w[i] * r[i]); });
}

/// z = weight x_place.
void unsort(const DeviceArray<int>& place, const DeviceArray<real>& weight, const float* x, real* z) {
  const int* const at = place.data();
  const real* const w = weight.data();
  forall(
      static_cast<int>(weight.size()), SOLENOID_KERNEL(int i) { z[i] = w[i] * static_cast<real>(x[at[i]]); });
}

std::vector<int> places(const EliminationFactor& factor) {
  std::vector<int> place(factor.from.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[factor.from[i]] = static_cast<int>(i);
  return place;
}

std::vector<FactorRows> on_device(const Comm& comm, const std::vector<SingleRows>& levels, int owned) {
  std::vector<FactorRows> result;
  for (const SingleRows& rows : levels) result.emplace_back(rows, owned).share_rows(comm, rows);
  return result;
}

}  // namespace

struct Elimination::Parts {
  std::vector<int> first;
  DeviceArray<int> place;    // per entity: its place by level
  DeviceArray<real> weight;  // per entity
  std::vector<FactorRows> lower, upper;
  std::vector<FactorRows> inverse;                       // one
  std::vector<std::unique_ptr<HaloExchange>> exchanges;  // by level; none on a rank alone
  DeviceArray<float> y, x;
  std::vector<std::int64_t> rows;

  Parts(const Comm& comm, EliminationFactor factor)
      : first(std::move(factor.first)),
        place(places(factor)),
        weight(factor.weight),
        lower(on_device(comm, factor.lower, first.back())),
        upper(on_device(comm, factor.upper, first.back())),
        inverse(on_device(comm, {factor.inverse}, first.back())),
        y(std::vector<float>(factor.total, 0)),
        x(std::vector<float>(factor.total, 0)),
        rows(std::move(factor.rows)) {
    for (ExchangePlan& plan : factor.plan) {
      if (comm.size() > 1) exchanges.push_back(std::make_unique<HaloExchange>(comm, std::move(plan)));
    }
  }

  int last() const { return static_cast<int>(lower.size()) - 1; }
  HaloExchange* exchange_of(int level) { return exchanges.empty() || level < 0 ? nullptr : exchanges[level].get(); }

  void solve(const real* r, real* z) {
    count_traffic(static_cast<std::int64_t>(vector_bytes()));
    float *const sorted = y.data(), *const solved = x.data();
    sort_by_level(place, weight, r, sorted);
    for (int level = 1; level <= last(); ++level) {
      over_factor_rows(lower[level], y, exchange_of(level - 1), elimination::Forward{sorted, first[level]});
    }
    over_factor_rows(inverse.front(), y, exchange_of(last()), elimination::Direct{solved, first[last()]});
    for (int level = last() - 1; level >= 0; --level) {
      over_factor_rows(upper[level], x, exchange_of(level + 1), elimination::Backward{sorted, solved, first[level]});
    }
    unsort(place, weight, solved, z);
  }

  /// Of vectors: forth r, place, weight and y, written, read, changed and gathered; back y, x, written and gathered,
  /// and x, place, weight and z.
  double vector_bytes() const {
    constexpr double forth = 2 * sizeof(real) + sizeof(int) + 4 * sizeof(float),
                     back = 2 * sizeof(real) + sizeof(int) + 4 * sizeof(float);
    return (forth + back) * first.back();
  }
  double bytes() const {
    double bytes = vector_bytes();
    for (const auto* parts : {&lower, &upper, &inverse}) {
      for (const FactorRows& part : *parts) bytes += static_cast<double>(part.bytes());
    }
    return bytes;
  }
};

Elimination::Elimination(const Comm& comm, LocalNumbering numbering, MatrixRows rows, const std::vector<real>& null,
                         const EliminationSizes& sizes, const MemoryOf& /*scope*/)
    : parts_(std::make_unique<Parts>(comm, eliminate(comm, std::move(numbering), std::move(rows), null, sizes))) {}
Elimination::~Elimination() = default;
Elimination::Elimination(Elimination&&) noexcept = default;

void Elimination::solve(const real* r, real* z) const { parts_->solve(r, z); }
const std::vector<std::int64_t>& Elimination::rows() const { return parts_->rows; }
double Elimination::bytes_per_call() const { return parts_->bytes(); }

}  // namespace solenoid
