#include "solve/elimination/elimination.hpp"

#include "solve/multigrid/host_level.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace elimination {  // public types: nvcc accepts no private ones as kernel arguments

/// y = weight r - product, on a level.
struct Forward {
  const real* r;
  const int* from;
  const real* weight;
  float* y;
  int first;
  SOLENOID_HD void operator()(Index<Unknown> row, float product) const {
    const int i = first + row.value;
    y[i] = static_cast<float>(weight[i] * r[from[i]]) - product;
  }
};

/// x = product on the last level, and the result there.
struct Direct {
  float* x;
  const int* from;
  const real* weight;
  real* z;
  int first;
  SOLENOID_HD void operator()(Index<Unknown> row, float product) const {
    const int i = first + row.value;
    x[i] = product;
    z[from[i]] = weight[i] * static_cast<real>(product);
  }
};

/// x = y - product on a level, and the result there.
struct Backward {
  const float* y;
  float* x;
  const int* from;
  const real* weight;
  real* z;
  int first;
  SOLENOID_HD void operator()(Index<Unknown> row, float product) const {
    const int i = first + row.value;
    const float value = y[i] - product;
    x[i] = value;
    z[from[i]] = weight[i] * static_cast<real>(value);
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

std::vector<FactorRows> on_device(const Comm& comm, const std::vector<SingleRows>& levels, int owned) {
  std::vector<FactorRows> result;
  for (const SingleRows& rows : levels) result.emplace_back(rows, owned).share_rows(comm, rows);
  return result;
}

}  // namespace

struct Elimination::Parts {
  std::vector<int> first;
  DeviceArray<int> from;
  DeviceArray<real> weight;
  std::vector<FactorRows> lower, upper;
  std::vector<FactorRows> inverse;                       // one
  std::vector<std::unique_ptr<HaloExchange>> exchanges;  // by level; none on a rank alone
  DeviceArray<float> y, x;
  std::vector<std::int64_t> rows;

  Parts(const Comm& comm, EliminationFactor factor)
      : first(std::move(factor.first)),
        from(factor.from),
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
    for (int level = 0; level <= last(); ++level) {
      over_factor_rows(lower[level], y, exchange_of(level - 1),
                       elimination::Forward{r, from.data(), weight.data(), y.data(), first[level]});
    }
    over_factor_rows(inverse.front(), y, exchange_of(last()),
                     elimination::Direct{x.data(), from.data(), weight.data(), z, first[last()]});
    for (int level = last() - 1; level >= 0; --level) {
      over_factor_rows(upper[level], x, exchange_of(level + 1),
                       elimination::Backward{y.data(), x.data(), from.data(), weight.data(), z, first[level]});
    }
  }

  /// Of vectors: forth r, number, weight and y, which is gathered too; back y, number, weight, x, z.
  double vector_bytes() const {
    constexpr double forth = 2 * sizeof(real) + sizeof(int) + 2 * sizeof(float),
                     back = 2 * sizeof(real) + sizeof(int) + 3 * sizeof(float);
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
