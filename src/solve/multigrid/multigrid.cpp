#include "solve/multigrid/multigrid.hpp"

#include "solve/multigrid/hierarchy.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace multigrid {  // public types: nvcc accepts no private ones as kernel arguments

/// y = b - step A b: the residual after the smoother's first step, x = step b.
struct FirstResidual {
  View<Unknown, const float> b;
  View<Unknown, float> y;
  float step;
  SOLENOID_HD void operator()(Index<Unknown> i, float product) const { y[i] = b[i] - step * product; }
};

/// x after the second step before the coarser level and the first one after it, without the coarse correction; from the
/// residual y between both.
struct MiddleSteps {
  View<Unknown, const float> b, y;
  View<Unknown, float> x;
  float small, large;
  SOLENOID_HD void operator()(Index<Unknown> i, float product) const {
    x[i] = small * b[i] + large * (2 * y[i] - large * product);
  }
};

/// x += P e.
struct AddProduct {
  View<Unknown, float> x;
  SOLENOID_HD void operator()(Index<Unknown> i, float product) const { x[i] += product; }
};

/// The last step, with a result of any precision.
template <class T>
struct LastStep {
  View<Unknown, const float> b, x;
  View<Unknown, T> result;
  float step;
  SOLENOID_HD void operator()(Index<Unknown> i, float product) const { result[i] = x[i] + step * (b[i] - product); }
};

}  // namespace multigrid

namespace {

/// Assembles the right-hand side of a replicated level from the ranks' shares. Collective.
void gather(Gathering& gathering, LevelField& b) {
  const auto shared = halo(gathering.b).view();
  const auto whole = b.view();
  const int* const place = gathering.place.data();
  forall(
      gathering.b.total(), SOLENOID_KERNEL(int i) { whole[Index<Unknown>{place[i]}] = shared[Index<Unknown>{i}]; });
}

/// Runs the cycle from level.inbox() to level.y, or `result`. Collective.
template <class T>
void run_cycle(const std::vector<std::unique_ptr<Level>>& levels, std::size_t depth, View<Unknown, T> result) {
  Level& level = *levels[depth];
  if (level.gathering) gather(*level.gathering, level.b);
  count_owned(level.y);  // or `result`, of the same length; over_rows() counts the products
  if (level.is_inverse) return over_rows(level.matrix, level.b, StoreProductAlone<Unknown, T>{result});
  const auto [large, small] = level.steps;
  const auto b = std::as_const(level.b).view(), x = std::as_const(level.x).view();
  count_owned(level.y);
  over_rows(level.matrix, level.b, multigrid::FirstResidual{b, level.y.view(), small});
  if (level.prolongation) {
    Level& next = *levels[depth + 1];
    count_owned(next.inbox());
    over_rows(*level.restriction, level.y, StoreProductAlone<Unknown, float>{next.inbox().view()});
    run_cycle(levels, depth + 1, next.y.view());
  }
  const auto y = std::as_const(level.y).view();
  count_owned(level.b, level.x);
  over_rows(level.matrix, level.y, multigrid::MiddleSteps{b, y, level.x.view(), small, large});
  if (level.prolongation) {
    count_owned(level.x, level.x);
    over_rows(*level.prolongation, levels[depth + 1]->y, multigrid::AddProduct{level.x.view()});
  }
  count_owned(level.b);
  over_rows(level.matrix, level.x, multigrid::LastStep<T>{b, x, result, small});
}

void to_single(const real* r, LevelField& inbox) {
  const auto b = inbox.view();
  count_owned(inbox);
  count_traffic(static_cast<std::int64_t>(sizeof(real)) * inbox.owned());
  forall(
      inbox.owned(), SOLENOID_KERNEL(int i) { b[Index<Unknown>{i}] = static_cast<float>(r[i]); });
}

/// Extracts this rank's share of a replicated result.
void share_of(Level& level, real* z) {
  const auto whole = std::as_const(level.y).view();
  const int* const place = level.gathering->place.data();
  forall(
      level.inbox().owned(), SOLENOID_KERNEL(int i) { z[i] = whole[Index<Unknown>{place[i]}]; });
}

}  // namespace

struct Multigrid::Parts {
  Hierarchy hierarchy;
  Parts(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
        const MultigridSizes& sizes)
      : hierarchy(comm, std::move(numbering), std::move(rows), std::move(null), sizes) {}
};

Multigrid::Multigrid(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
                     const MultigridSizes& sizes, const MemoryOf& /*scope*/)
    : parts_(std::make_unique<Parts>(comm, std::move(numbering), std::move(rows), std::move(null), sizes)) {}
Multigrid::~Multigrid() = default;
Multigrid::Multigrid(Multigrid&&) noexcept = default;

void Multigrid::cycle(const real* r, real* z) const {
  const auto& levels = parts_->hierarchy.levels;
  Level& finest = *levels.front();
  to_single(r, finest.inbox());
  if (!finest.gathering) return run_cycle(levels, 0, View<Unknown, real>{z});
  run_cycle(levels, 0, finest.y.view());
  share_of(finest, z);
}

const MultigridShape& Multigrid::shape() const { return parts_->hierarchy.shape; }
double Multigrid::bytes_per_cycle() const { return parts_->hierarchy.traffic; }

}  // namespace solenoid
