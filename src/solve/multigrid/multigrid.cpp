#include "solve/multigrid/multigrid.hpp"

#include "solve/multigrid/cycle_passes.hpp"
#include "solve/multigrid/tail.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace multigrid {  // public types: nvcc accepts no private ones as kernel arguments

/// The type of a result in double precision, per value of V.
template <class V>
using Double = std::conditional_t<std::is_same_v<V, float>, real, Vec3>;

SOLENOID_HD inline void round_to(float& single, real value) { single = static_cast<float>(value); }
SOLENOID_HD inline void round_to(Triple& single, const Vec3& value) {
  single = {static_cast<float>(value.x), static_cast<float>(value.y), static_cast<float>(value.z)};
}

}  // namespace multigrid

namespace {

using Levels = std::vector<std::unique_ptr<Level>>;

/// Assembles the right-hand side of a replicated level from the ranks' shares. Collective.
template <class V>
void gather(const Gathering& gathering, LevelVectors<V>& vectors) {
  const auto shared = halo(*vectors.shared).view();
  const auto whole = vectors.b.view();
  const int* const place = gathering.place.data();
  forall(
      vectors.shared->total(), SOLENOID_KERNEL(int i) { whole[Index<Unknown>{place[i]}] = shared[Index<Unknown>{i}]; });
}

/// Runs the cycle from the level's inbox() to its y, or `result`. Collective.
template <class V, class Result>
void run_cycle(const Levels& levels, CycleTail& tail, std::size_t depth, View<Unknown, Result> result) {
  Level& level = *levels[depth];
  LevelVectors<V>& at = level.vectors<V>();
  if (level.gathering) gather(*level.gathering, at);
  if constexpr (std::is_same_v<Result, V>) {
    if (tail.begins_at(depth)) return tail.run<V>();
  }
  count_owned(at.y);  // or `result`, of the same length; over_rows() counts the products
  if (level.is_inverse) return over_rows(level.matrix, at.b, StoreProductAlone<Unknown, Result>{result});
  const auto [large, small] = level.steps;
  const auto b = std::as_const(at.b).view(), x = std::as_const(at.x).view();
  count_owned(at.y);
  over_rows(level.matrix, at.b, multigrid::FirstResidual<V>{b, at.y.view(), small});
  if (level.prolongation) {
    LevelVectors<V>& next = levels[depth + 1]->vectors<V>();
    count_owned(next.inbox());
    over_rows(*level.restriction, at.y, StoreProductAlone<Unknown, V>{next.inbox().view()});
    run_cycle<V>(levels, tail, depth + 1, next.y.view());
  }
  const auto y = std::as_const(at.y).view();
  count_owned(at.b, at.x);
  over_rows(level.matrix, at.y, multigrid::MiddleSteps<V>{b, y, at.x.view(), small, large});
  if (level.prolongation) {
    count_owned(at.x, at.x);
    over_rows(*level.prolongation, levels[depth + 1]->vectors<V>().y, multigrid::AddProduct<V>{at.x.view()});
  }
  count_owned(at.b);
  over_rows(level.matrix, at.x, multigrid::LastStep<V, Result>{b, x, result, small});
}

/// z = M r, with values of V in the cycle. Collective.
template <class V>
void cycle_from(const Levels& levels, CycleTail& tail, const multigrid::Double<V>* r, multigrid::Double<V>* z) {
  using Value = multigrid::Double<V>;
  Level& finest = *levels.front();
  LevelVectors<V>& at = finest.vectors<V>();
  const auto inbox = at.inbox().view();
  const int owned = at.inbox().owned();
  count_owned(at.inbox());
  count_traffic(static_cast<std::int64_t>(sizeof(Value)) * owned);
  forall(
      owned, SOLENOID_KERNEL(int i) { multigrid::round_to(inbox[Index<Unknown>{i}], r[i]); });
  if (!finest.gathering) return run_cycle<V>(levels, tail, 0, View<Unknown, Value>{z});
  run_cycle<V>(levels, tail, 0, at.y.view());
  const auto whole = std::as_const(at.y).view();
  const int* const place = finest.gathering->place.data();
  forall(
      owned, SOLENOID_KERNEL(int i) { z[i] = whole[Index<Unknown>{place[i]}]; });
}

}  // namespace

struct Multigrid::Parts {
  Hierarchy hierarchy;
  CycleTail tail;
  Parts(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
        const MultigridSizes& sizes)
      : hierarchy(comm, std::move(numbering), std::move(rows), std::move(null), sizes),
        tail(hierarchy.levels, sizes.entries_in_one_launch) {}
};

Multigrid::Multigrid(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
                     const MultigridSizes& sizes, const MemoryOf& /*scope*/)
    : parts_(std::make_unique<Parts>(comm, std::move(numbering), std::move(rows), std::move(null), sizes)) {}
Multigrid::~Multigrid() = default;
Multigrid::Multigrid(Multigrid&&) noexcept = default;

void Multigrid::cycle(const real* r, real* z) const { cycle_from<float>(parts_->hierarchy.levels, parts_->tail, r, z); }
void Multigrid::cycle(const Vec3* r, Vec3* z) const {
  cycle_from<Triple>(parts_->hierarchy.levels, parts_->tail, r, z);
}

const MultigridShape& Multigrid::shape() const { return parts_->hierarchy.shape; }
double Multigrid::bytes_per_cycle(int vectors) const {
  const CycleTraffic& traffic = parts_->hierarchy.traffic;
  return traffic.matrices + vectors * traffic.vectors;
}

}  // namespace solenoid
