#include "solve/elimination/elimination_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/csr.hpp"
#include "solve/elimination/graph_level.hpp"
#include "solve/multigrid/aggregates.hpp"
#include "solve/multigrid/dense_inverse.hpp"
#include "solve/multigrid/halo_numbering.hpp"
#include "solve/multigrid/replicated.hpp"

namespace solenoid {

namespace {

/// Couplings between an unknown that is eliminated and one that stays, in the numbers of the finest level.
struct FactorEntry {
  int row, column;
  real value;
};

/// What elimination finds, in the numbers of the finest level.
struct FoundFactor {
  CoarseNumbers numbers;                  // of the finest level, and of the other ranks' unknowns met
  std::vector<int> level_of;              // per owned unknown
  std::vector<real> pivot;                // per owned unknown
  std::vector<FactorEntry> lower, upper;  // by level, then by the ids of the rows that are eliminated

  FoundFactor(int rank, const LocalNumbering& finest)
      : numbers(rank, {finest.global_id.begin(), finest.global_id.begin() + finest.owned}),
        level_of(finest.owned),
        pivot(finest.owned) {}

  /// Per local unknown of a level: its number here.
  std::vector<int> numbers_of(const LocalNumbering& numbering) {
    std::vector<int> result;
    for (int i = 0; i < numbering.total(); ++i) {
      result.push_back(numbers.number_of(numbering.global_id[i], numbering.owner[i]));
    }
    return result;
  }
  void add_level(const GraphLevel& level, const std::vector<char>& eliminated, int depth) {
    std::vector<int> number(level.numbering.total(), -1);  // of the columns in use
    const auto number_of = [&](int i) {
      if (number[i] < 0) number[i] = numbers.number_of(level.numbering.global_id[i], level.numbering.owner[i]);
      return number[i];
    };
    const MatrixRows& rows = level.rows;
    for (int i = 0; i < rows.rows(); ++i) {
      if (eliminated[i]) level_of[number_of(i)] = depth, pivot[number_of(i)] = level.diagonal[i];
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        const int j = rows.column[k];
        if (eliminated[i] == eliminated[j]) continue;
        (eliminated[i] ? upper : lower).push_back({number_of(i), number_of(j), rows.value[k]});
      }
    }
  }
};

/// The last level with a unit diagonal, whole on every rank.
Replicated whole_last_level(const Comm& comm, const GraphLevel& level) {
  HostLevel scaled{level.numbering, {level.rows.offset, level.rows.column, {}}, {}};
  for (int i = 0; i < level.rows.rows(); ++i) {
    for (int k = level.rows.offset[i]; k < level.rows.offset[i + 1]; ++k) {
      const real product = level.diagonal[i] * level.diagonal[level.rows.column[k]];
      scaled.rows.value.push_back(static_cast<float>(level.rows.value[k] / std::sqrt(product)));
    }
  }
  for (const real value : level.diagonal) scaled.null.push_back(static_cast<float>(std::sqrt(value)));
  return replicate(comm, scaled);
}

/// The local numbers of the sorted factor, by the numbers of FoundFactor.
struct SortedUnknowns {
  std::vector<int> local_of;
  std::vector<real> weight;  // 1 / sqrt(pivot), per number
};

/// Sorts the unknowns by level. Collective.
SortedUnknowns sort_unknowns(const Comm& comm, const FoundFactor& found, std::int64_t global_count, int last_level,
                             EliminationFactor& factor) {
  const CoarseNumbers& numbers = found.numbers;
  const int owned = numbers.owned(), total = numbers.total();
  struct OfUnknown {
    int level;
    real weight;
  };
  LocalNumbering plain{owned, global_count, {}, {}};
  for (int c = 0; c < owned; ++c) plain.global_id.push_back(numbers.id(c)), plain.owner.push_back(comm.rank());
  std::vector<HaloEntry> others;
  for (int c = owned; c < total; ++c) others.push_back({numbers.owner(c), numbers.id(c)});
  plain = with_halo(plain, others);
  std::vector<OfUnknown> of(total);
  for (int c = 0; c < owned; ++c) of[c] = {found.level_of[c], 1 / std::sqrt(found.pivot[c])};
  HostExchange(comm, plain)(of);

  SortedUnknowns sorted;
  sorted.local_of.resize(total), sorted.weight.resize(total);
  const Csr<int> by_level(last_level + 1, [&](const auto& visit) {
    for (int c = 0; c < owned; ++c) visit(found.level_of[c], c);
  });
  const auto id_in_order = [&](int level, std::int64_t id) { return level * global_count + id; };
  LocalNumbering in_order{owned, global_count, {}, {}};
  factor.from = by_level.entries();
  factor.first = {0};
  for (int level = 0; level <= last_level; ++level) {
    factor.first.push_back(factor.first.back() + static_cast<int>(by_level[level].size()));
  }
  for (int k = 0; k < owned; ++k) {
    const int c = factor.from[k];
    sorted.local_of[c] = k, sorted.weight[c] = of[c].weight;
    in_order.global_id.push_back(id_in_order(found.level_of[c], numbers.id(c)));
    in_order.owner.push_back(comm.rank());
  }
  std::vector<std::vector<HaloEntry>> halo(last_level + 1);
  std::vector<int> place(total);
  for (int c = owned; c < total; ++c) {
    place[c] = place_in_halo(plain, others[c - owned]);
    sorted.weight[c] = of[place[c]].weight;
    const int level = of[place[c]].level;
    halo[level].push_back({others[c - owned].owner, id_in_order(level, others[c - owned].id)});
  }
  factor.total = owned;
  std::vector<LocalNumbering> of_level;
  std::vector<int> begin;
  for (std::vector<HaloEntry>& its_halo : halo) {
    of_level.push_back(with_halo(in_order, std::move(its_halo)));
    factor.plan.push_back(plan_exchange(comm, of_level.back()));
    for (ExchangePlan::Neighbour& n : factor.plan.back().neighbours) n.receive_begin += factor.total - owned;
    begin.push_back(factor.total - owned);
    factor.total += of_level.back().total() - owned;
  }
  for (int c = owned; c < total; ++c) {
    const int level = of[place[c]].level;
    const HaloEntry entry{others[c - owned].owner, id_in_order(level, others[c - owned].id)};
    sorted.local_of[c] = begin[level] + place_in_halo(of_level[level], entry);
  }
  return sorted;
}

/// The rows of each level with these entries, each row in the order of the entries.
std::vector<SingleRows> rows_by_level(const EliminationFactor& factor, const SortedUnknowns& sorted,
                                      const std::vector<FactorEntry>& entries) {
  struct SortedEntry {
    int column;
    float value;
  };
  const Csr<SortedEntry> by_row(factor.first.back(), [&](const auto& visit) {
    for (const FactorEntry& entry : entries) {
      const real value = entry.value * (sorted.weight[entry.row] * sorted.weight[entry.column]);
      visit(sorted.local_of[entry.row], {sorted.local_of[entry.column], static_cast<float>(value)});
    }
  });
  std::vector<SingleRows> levels;
  for (std::size_t level = 0; level + 1 < factor.first.size(); ++level) {
    SingleRows& rows = levels.emplace_back();
    for (int i = factor.first[level]; i < factor.first[level + 1]; ++i) {
      for (const SortedEntry& entry : by_row[i]) {
        rows.column.push_back(entry.column), rows.value.push_back(entry.value);
      }
      rows.offset.push_back(static_cast<int>(rows.column.size()));
    }
  }
  return levels;
}

/// The owned rows of the last level's inverse.
SingleRows inverse_rows(const Replicated& last, const FoundFactor& found, const SortedUnknowns& sorted,
                        const std::vector<int>& number_of_whole, int first) {
  const SingleRows whole = dense_inverse(last.level);
  SingleRows rows;
  for (int i = 0; i < last.gathered.owned; ++i) {
    const int row = last.place[i];
    for (int k = whole.offset[row]; k < whole.offset[row + 1]; ++k) {
      rows.column.push_back(sorted.local_of[number_of_whole[whole.column[k]]]);
      rows.value.push_back(whole.value[k]);
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
    require(sorted.local_of[number_of_whole[row]] == first + i && number_of_whole[row] < found.numbers.owned(),
            [] { return "the last level of elimination is out of order"; });
  }
  return rows;
}

}  // namespace

EliminationFactor eliminate(const Comm& comm, LocalNumbering numbering, MatrixRows rows, const std::vector<real>& null,
                            const EliminationSizes& sizes) {
  const std::int64_t global_count = numbering.global_count;
  FoundFactor found(comm.rank(), numbering);
  GraphLevel level = finest_level(comm, std::move(numbering), std::move(rows), null);
  EliminationFactor factor;
  int depth = 0;
  for (;; ++depth) {
    factor.rows.push_back(level.numbering.global_count);
    if (level.numbering.global_count <= sizes.direct) break;
    const HostExchange exchange(comm, level.numbering);
    const std::vector<char> eliminated = uncoupled_set(exchange, level);
    found.add_level(level, eliminated, depth);
    level = schur_complement(exchange, level, eliminated);
    thin_out(comm, level, sizes.kept);
  }
  found.add_level(level, std::vector<char>(level.numbering.total(), 1), depth);
  const Replicated last = whole_last_level(comm, level);
  std::vector<int> number_of_whole(last.level.numbering.owned);
  const std::vector<int> numbers = found.numbers_of(last.gathered);
  for (std::size_t i = 0; i < numbers.size(); ++i) number_of_whole[last.place[i]] = numbers[i];

  const SortedUnknowns sorted = sort_unknowns(comm, found, global_count, depth, factor);
  for (int c = 0; c < found.numbers.owned(); ++c) factor.weight.push_back(null[c] * sorted.weight[c]);
  factor.lower = rows_by_level(factor, sorted, found.lower);
  factor.upper = rows_by_level(factor, sorted, found.upper);
  factor.inverse = inverse_rows(last, found, sorted, number_of_whole, factor.first[depth]);
  return factor;
}

}  // namespace solenoid
