#include "solve/multigrid/hierarchy.hpp"

#include <algorithm>
#include <unordered_map>

#include "solve/multigrid/dense_inverse.hpp"

namespace solenoid {

namespace {

/// `rows` with each column j renumbered to number[j].
SingleRows renumbered(SingleRows rows, const std::vector<int>& number) {
  for (int& column : rows.column) column = number[column];
  return rows;
}

/// Per global id (owned ones ascending, then a halo): its place in a numbering; -1 if it has none.
std::vector<int> places_of(const std::vector<std::int64_t>& ids, const LocalNumbering& numbering) {
  std::unordered_map<std::int64_t, int> in_halo;
  for (int i = numbering.owned; i < numbering.total(); ++i) in_halo[numbering.global_id[i]] = i;
  std::vector<int> places;
  places.reserve(ids.size());
  const auto begin = numbering.global_id.begin(), end = begin + numbering.owned;
  for (const std::int64_t id : ids) {
    const auto owned = std::lower_bound(begin, end, id);
    if (owned != end && *owned == id) {
      places.push_back(static_cast<int>(owned - begin));
    } else {
      const auto other = in_halo.find(id);
      places.push_back(other == in_halo.end() ? -1 : other->second);
    }
  }
  return places;
}

/// Memory of a level on this rank.
std::size_t bytes_of(const Level& level) {
  constexpr std::size_t vectors = 3;
  std::size_t bytes = level.matrix.bytes() + vectors * sizeof(float) * level.layout.total();
  if (level.prolongation) bytes += level.prolongation->bytes() + level.restriction->bytes();
  return bytes;
}

/// Whether a level of `rows` unknowns is small enough to be held whole by every rank.
bool is_small(std::int64_t rows, const MultigridSizes& sizes) {
  return rows <= std::max(sizes.replicated, sizes.inverted);
}

/// Replicates a small level on every rank if that pays; `comm` is this rank alone from then on. Collective.
std::unique_ptr<Gathering> gather_small(Comm& comm, HostLevel& level, const MultigridSizes& sizes) {
  if (comm.size() == 1 || !is_small(level.numbering.global_count, sizes)) return nullptr;
  Replicated replicated = replicate(comm, level);
  auto gathering = std::make_unique<Gathering>(comm, replicated);
  level = std::move(replicated.level);
  comm = Comm(MPI_COMM_SELF);
  return gathering;
}

/// The device arrays of a level with a coarser one. Collective.
std::unique_ptr<Level> with_coarser(const Comm& comm, const HostLevel& level, const Coarsening& next) {
  auto made = std::make_unique<Level>(comm, next.numbering, renumbered(level.rows, next.column_of), false);
  made->restriction.emplace(next.restriction, made->layout);
  made->restriction->share_rows(comm, next.restriction);
  return made;
}

/// Adds the prolongation to the finer level: `rows` have columns in the numbers of a level whose unknowns have these
/// `ids`, and which has become `coarse`. Collective.
void add_prolongation(const Comm& comm, Level& finer, SingleRows rows, const std::vector<std::int64_t>& ids,
                      const Level& coarse) {
  rows = renumbered(std::move(rows), places_of(ids, coarse.layout.numbering()));
  require(std::none_of(rows.column.begin(), rows.column.end(), [](int column) { return column < 0; }),
          [] { return "a coarse unknown has no place on its level"; });
  finer.prolongation.emplace(rows, coarse.layout);
  finer.prolongation->share_rows(comm, rows);
}

}  // namespace

CycleTraffic traffic_of(const Level& level) {
  const auto vector = static_cast<double>(sizeof(float) * level.layout.owned()),
             matrix = static_cast<double>(level.matrix.bytes());
  if (level.is_inverse) return {matrix, 2 * vector};
  if (!level.prolongation) return {3 * matrix, 8 * vector};
  const auto coarse = static_cast<double>(sizeof(float) * level.restriction->row_count());
  return {3 * matrix + static_cast<double>(level.restriction->bytes() + level.prolongation->bytes()),
          11 * vector + 2 * coarse};
}

Hierarchy::Hierarchy(const Comm& of_all, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
                     const MultigridSizes& sizes) {
  Comm comm = of_all;
  HostLevel level{std::move(numbering), std::move(rows), std::move(null)};
  std::optional<Coarsening> next;
  std::vector<double> entries;  // of each level's matrix, diagonal included
  do {
    const std::vector<std::int64_t> ids = level.numbering.global_id;
    SingleRows to_finer = next ? std::move(next->prolongation) : SingleRows();
    shape.rows.push_back(level.numbering.global_count);
    auto gathering = gather_small(comm, level, sizes);
    entries.push_back(
        static_cast<double>(comm.sum(static_cast<std::int64_t>(level.rows.column.size()) + level.rows.rows())));

    next.reset();
    if (level.numbering.global_count <= sizes.inverted) {
      levels.push_back(std::make_unique<Level>(comm, level.numbering, dense_inverse(level), true));
    } else {
      const HostExchange exchange(comm, level.numbering);
      const double highest = largest_eigenvalue(exchange, level);
      const ChebyshevSteps steps = chebyshev_steps(highest / 8, highest);
      next = coarsen(exchange, level, highest, steps.large, static_cast<int>(levels.size()));
      levels.push_back(next ? with_coarser(comm, level, *next)
                            : std::make_unique<Level>(comm, level.numbering, level.rows, false));
      levels.back()->steps = steps;
    }
    levels.back()->gathering = std::move(gathering);
    if (levels.size() > 1) {
      Level& finer = *levels[levels.size() - 2];
      add_prolongation(finer.layout.comm(), finer, std::move(to_finer), ids, *levels.back());
    }
    if (next) level = std::move(next->coarse);
  } while (next);

  double bytes = 0;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto of_level = static_cast<double>(bytes_of(*levels[k]));
    bytes += of_level;
    if (is_small(shape.rows[k], sizes)) shape.bytes_on_every_rank += of_level;
    const CycleTraffic in_cycle = traffic_of(*levels[k]);
    traffic.matrices += in_cycle.matrices, traffic.vectors += in_cycle.vectors;
  }
  const auto finest = static_cast<double>(shape.rows.front());
  if (finest > 0) shape.bytes_per_unknown = of_all.sum(bytes) / finest;
  for (const double count : entries) shape.complexity += count / entries.front();
}

}  // namespace solenoid
