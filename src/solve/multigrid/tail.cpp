#include "solve/multigrid/tail.hpp"

#include "parallel/one_block.hpp"
#include "solve/multigrid/cycle_passes.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace {

using LevelList = std::vector<std::unique_ptr<Level>>;

bool is_short(const Level& level, std::int64_t most) {
  const auto fits = [&](const LevelMatrix& matrix) { return static_cast<std::int64_t>(matrix.entries()) <= most; };
  return level.layout.comm().size() == 1 && fits(level.matrix) && (!level.restriction || fits(*level.restriction)) &&
         (!level.prolongation || fits(*level.prolongation));
}

/// The first of the short levels at the end; their number if there is but one, which is a launch anyway, or none. The
/// finest level has another precision at its ends.
std::size_t first_in_one_launch(const LevelList& levels, std::int64_t most) {
  std::size_t begin = levels.size();
  while (begin > 1 && is_short(*levels[begin - 1], most) && (begin == levels.size() || !levels[begin]->gathering)) {
    --begin;
  }
  const bool is_one_pass = begin + 1 == levels.size() && levels.back()->is_inverse;
  return is_one_pass ? levels.size() : begin;
}

template <class V>
typename LevelInKernel<V>::Matrix matrix_of(const LevelMatrix& matrix) {
  return {matrix.rows(), matrix.row_count(), matrix.shares()};
}

template <class V>
LevelInKernel<V> in_kernel(Level& level) {
  LevelVectors<V>& vectors = level.vectors<V>();
  LevelInKernel<V> made{};
  made.matrix = matrix_of<V>(level.matrix);
  if (level.restriction) made.restriction = matrix_of<V>(*level.restriction);
  if (level.prolongation) made.prolongation = matrix_of<V>(*level.prolongation);
  made.is_inverse = level.is_inverse;
  made.has_coarser = level.prolongation.has_value();
  made.steps = level.steps;
  made.b = vectors.b.view(), made.x = vectors.x.view(), made.y = vectors.y.view();
  return made;
}

}  // namespace

namespace multigrid {

template <class V>
SOLENOID_HD View<Unknown, const V> read(View<Unknown, V> values) {
  return {values.data};
}

/// use(row, product with x) for all rows.
template <class V, class Use>
SOLENOID_HD RowPass<Unknown, Unknown, float, V, Use> pass(const typename LevelInKernel<V>::Matrix& matrix,
                                                          View<Unknown, V> x, const Use& use) {
  return {matrix.rows, read(x), matrix.count, nullptr, use};
}

}  // namespace multigrid

CycleTail::CycleTail(const LevelList& levels, std::int64_t most)
    : levels_(levels), begin_(first_in_one_launch(levels, most)) {
  for (std::size_t depth = begin_; depth < levels.size(); ++depth) {
    const CycleTraffic of_level = traffic_of(*levels[depth]);
    traffic_.matrices += of_level.matrices, traffic_.vectors += of_level.vectors;
  }
}

template <class V>
void CycleTail::run() {
  Levels<V>& made = std::get<Levels<V>>(made_);
  if (!made) {
    std::vector<LevelInKernel<V>> levels;
    for (std::size_t depth = begin_; depth < levels_.size(); ++depth) levels.push_back(in_kernel<V>(*levels_[depth]));
    const MemoryOf scope("multigrid");
    made.emplace(levels);
  }
  count_traffic(static_cast<std::int64_t>(traffic_.matrices + sizeof(V) / sizeof(float) * traffic_.vectors));
  const LevelInKernel<V>* const levels = made->data();
  const int count = static_cast<int>(made->size());
  run_in_one_block<V>(SOLENOID_KERNEL(const OneBlock<V>& block) {
    const auto over = [&block](const auto& matrix, const auto& pass) {
      block.forall_shared(matrix.count, matrix.shares, pass);
    };
    for (int k = 0; k < count; ++k) {  // down
      const LevelInKernel<V>& at = levels[k];
      if (at.is_inverse) {
        over(at.matrix, multigrid::pass<V>(at.matrix, at.b, StoreProductAlone<Unknown, V>{at.y}));
        break;
      }
      over(at.matrix, multigrid::pass<V>(at.matrix, at.b,
                                         multigrid::FirstResidual<V>{multigrid::read(at.b), at.y, at.steps.small}));
      if (at.has_coarser) {
        over(at.restriction, multigrid::pass<V>(at.restriction, at.y, StoreProductAlone<Unknown, V>{levels[k + 1].b}));
      }
    }
    for (int k = count - 1; k >= 0; --k) {  // up
      const LevelInKernel<V>& at = levels[k];
      if (at.is_inverse) continue;
      over(at.matrix, multigrid::pass<V>(at.matrix, at.y,
                                         multigrid::MiddleSteps<V>{multigrid::read(at.b), multigrid::read(at.y), at.x,
                                                                   at.steps.small, at.steps.large}));
      if (at.has_coarser) {
        over(at.prolongation, multigrid::pass<V>(at.prolongation, levels[k + 1].y, multigrid::AddProduct<V>{at.x}));
      }
      over(at.matrix, multigrid::pass<V>(at.matrix, at.x,
                                         multigrid::LastStep<V, V>{multigrid::read(at.b), multigrid::read(at.x), at.y,
                                                                   at.steps.small}));
    }
  });
}

template void CycleTail::run<float>();
template void CycleTail::run<Triple>();

}  // namespace solenoid
