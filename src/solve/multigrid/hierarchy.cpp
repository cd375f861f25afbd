#include "solve/multigrid/hierarchy.hpp"

#include <algorithm>
#include <unordered_map>

#include "solve/multigrid/dense_inverse.hpp"

namespace solenoid {

namespace {

/// `rows` with each column j called number(j).
template <class Number>
SingleRows renumbered(SingleRows rows, const Number& number) {
  for (int& column : rows.column) column = number(column);
  return rows;
}

/// The prolongation of the level before waits for its columns' places on this one.
struct Waiting {
  Level* level = nullptr;
  SingleRows prolongation;
};

/// Places by global id.
class PlaceOf {
 public:
  explicit PlaceOf(const LocalNumbering& numbering) : numbering_(numbering) {
    for (int i = numbering.owned; i < numbering.total(); ++i) in_halo_[numbering.global_id[i]] = i;
  }
  int operator()(std::int64_t id) const {
    const auto begin = numbering_.global_id.begin(), end = begin + numbering_.owned;
    const auto owned = std::lower_bound(begin, end, id);
    return owned != end && *owned == id ? static_cast<int>(owned - begin) : in_halo_.at(id);
  }

 private:
  const LocalNumbering& numbering_;
  std::unordered_map<std::int64_t, int> in_halo_;
};

/// What a rank stores for a level.
std::size_t bytes_of(const Level& level) {
  constexpr std::size_t vectors = 3;
  std::size_t bytes = level.matrix.bytes() + vectors * sizeof(float) * level.layout.total();
  if (level.prolongation) bytes += level.prolongation->bytes() + level.restriction->bytes();
  return bytes;
}

/// What a rank reads and writes in a cycle, each array once a kernel.
std::size_t traffic_of(const Level& level) {
  const std::size_t vector = sizeof(float) * level.layout.owned();
  if (level.is_inverse) return level.matrix.bytes() + 2 * vector;
  const std::size_t steps = 3 * level.matrix.bytes() + 8 * vector;
  if (!level.prolongation) return steps;
  const std::size_t coarse = sizeof(float) * level.restriction->row_count();
  return steps + level.restriction->bytes() + level.prolongation->bytes() + 3 * vector + 2 * coarse;
}

}  // namespace

Hierarchy::Hierarchy(const Comm& of_all, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
                     const MultigridSizes& sizes) {
  Comm comm = of_all;
  std::vector<double> entries;  // of each level's matrix, its diagonal too
  HostLevel level{std::move(numbering), std::move(rows), std::move(null)};
  Waiting waiting;
  for (bool is_last = false; !is_last;) {
    shape.rows.push_back(level.numbering.global_count);
    // The numbers of this level's unknowns as the level before has them.
    const std::vector<std::int64_t> ids_before = level.numbering.global_id;
    std::unique_ptr<Gathering> gathering;
    if (comm.size() > 1 && level.numbering.global_count <= std::max(sizes.replicated, sizes.inverted)) {
      Replicated replicated = replicate(comm, level);
      gathering = std::make_unique<Gathering>(comm, replicated);
      level = std::move(replicated.level);
      comm = Comm(MPI_COMM_SELF);
    }
    entries.push_back(
        static_cast<double>(comm.sum(static_cast<std::int64_t>(level.rows.column.size()) + level.rows.rows())));
    const bool is_inverse = level.numbering.global_count <= sizes.inverted;
    std::optional<Coarsening> next;
    ChebyshevSteps steps{};
    if (!is_inverse) {
      const HostExchange exchange(comm, level.numbering);
      const double highest = largest_eigenvalue(exchange, level);
      steps = chebyshev_steps(highest / 8, highest);
      next = coarsen(exchange, level, highest, steps.large, static_cast<int>(levels.size()));
    }
    if (next) {
      const SingleRows placed = renumbered(level.rows, [&](int j) { return next->column_of[j]; });
      levels.push_back(std::make_unique<Level>(comm, next->numbering, placed, false));
      levels.back()->restriction.emplace(next->restriction, levels.back()->layout);
    } else {
      levels.push_back(
          std::make_unique<Level>(comm, level.numbering, is_inverse ? dense_inverse(level) : level.rows, is_inverse));
    }
    Level& made = *levels.back();
    made.gathering = std::move(gathering);
    made.steps = steps;
    if (waiting.level) {
      const PlaceOf place(made.layout.numbering());
      waiting.level->prolongation.emplace(
          renumbered(std::move(waiting.prolongation), [&](int j) { return place(ids_before[j]); }), made.layout);
    }
    is_last = !next;
    if (next) {
      waiting = {&made, std::move(next->prolongation)};
      level = std::move(next->coarse);
    }
  }
  double bytes = 0;
  for (const auto& made : levels) {
    bytes += static_cast<double>(bytes_of(*made));
    traffic += static_cast<double>(traffic_of(*made));
  }
  const auto finest = static_cast<double>(shape.rows.front());
  if (finest > 0) shape.bytes_per_unknown = of_all.sum(bytes) / finest;
  for (const double count : entries) shape.complexity += count / entries.front();
}

}  // namespace solenoid
