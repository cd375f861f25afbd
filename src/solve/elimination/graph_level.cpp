#include "solve/elimination/graph_level.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <numeric>

#include "solve/multigrid/aggregates.hpp"
#include "solve/multigrid/halo_numbering.hpp"
#include "solve/multigrid/row_sums.hpp"
#include "solve/multigrid/scatter.hpp"

namespace solenoid {

namespace {

struct EntryOfRow {
  std::int64_t row, column;  // global ids
  real value;
};

/// Sets a stored entry of an owned row; the id of its column must not be far from those of the row.
void set_entry(GraphLevel& level, int row, std::int64_t column, real value) {
  const auto begin = level.rows.column.begin();
  const auto first = begin + level.rows.offset[row], last = begin + level.rows.offset[row + 1];
  const auto& id = level.numbering.global_id;
  const auto place = std::lower_bound(first, last, column, [&](int j, std::int64_t wanted) { return id[j] < wanted; });
  if (place != last && id[*place] == column) level.rows.value[place - begin] = value;
}

/// Copies the entries of each row with columns of higher ids to the rows of those columns. Collective.
void copy_to_transposes(const Comm& comm, GraphLevel& level) {
  const LocalNumbering& numbering = level.numbering;
  const auto& id = numbering.global_id;
  std::vector<std::vector<EntryOfRow>> to(comm.size());
  for (int i = 0; i < numbering.owned; ++i) {
    for (int k = level.rows.offset[i]; k < level.rows.offset[i + 1]; ++k) {
      const int j = level.rows.column[k];
      if (id[j] < id[i]) continue;
      if (j < numbering.owned) {
        set_entry(level, j, id[i], level.rows.value[k]);
      } else {
        to[numbering.owner[j]].push_back({id[j], id[i], level.rows.value[k]});
      }
    }
  }
  const auto begin = id.begin(), end = begin + numbering.owned;
  for (const auto& list : exchange_lists(comm, to)) {
    for (const EntryOfRow& entry : list) {
      set_entry(level, static_cast<int>(std::lower_bound(begin, end, entry.row) - begin), entry.column, entry.value);
    }
  }
}

}  // namespace

GraphLevel finest_level(const Comm& comm, LocalNumbering numbering, MatrixRows rows, const std::vector<real>& null) {
  GraphLevel level{std::move(numbering), std::move(rows), {}};
  for (const real value : null) level.diagonal.push_back(value > 0 ? value * value : 1);
  for (int i = 0; i < level.rows.rows(); ++i) {
    for (int k = level.rows.offset[i]; k < level.rows.offset[i + 1]; ++k) {
      level.rows.value[k] *= null[i] * null[level.rows.column[k]];
    }
  }
  copy_to_transposes(comm, level);
  return level;
}

namespace {

/// Unknowns with the lowest keys among their neighbours are eliminated first.
struct EliminationKey {
  int couplings;
  std::uint64_t scattered;
  auto operator<=>(const EliminationKey&) const = default;
};

}  // namespace

std::vector<char> uncoupled_set(const HostExchange& exchange, const GraphLevel& level) {
  enum State : char { open, in_set, beside };
  const MatrixRows& rows = level.rows;
  std::vector<EliminationKey> key(level.numbering.total());
  for (int i = 0; i < rows.rows(); ++i) {
    key[i] = {rows.offset[i + 1] - rows.offset[i], scattered_number(level.numbering.global_id[i])};
  }
  exchange(key);
  std::vector<char> state(level.numbering.total(), open);
  std::vector<int> left(rows.rows());
  std::iota(left.begin(), left.end(), 0);
  const auto next_state = [&](int i) {
    char next = in_set;
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      if (state[j] == in_set) return beside;
      if (state[j] == open && key[j] < key[i]) next = open;
    }
    return static_cast<State>(next);
  };
  // The set does not depend on the order of decisions: each is final, by the keys alone.
  while (exchange.comm().sum(static_cast<std::int64_t>(left.size())) > 0) {
    for (const int i : left) state[i] = next_state(i);
    std::erase_if(left, [&](int i) { return state[i] != open; });
    exchange(state);
  }
  for (char& of : state) of = of == in_set;
  return state;
}

namespace {

/// An entry of a row in another numbering: column and value.
struct NumberedEntry {
  int column;
  real value;
};

/// The entries of eliminated rows in the columns that stay, owned rows and those of the halo, in the numbers of
/// CoarseNumbers.
struct EliminatedRows {
  std::vector<int> begin, end;  // per local unknown; equal if it stays
  std::vector<NumberedEntry> entries;
};

/// The unknowns that stay; -1 in the place of the number of one that is eliminated.
struct StayingUnknowns {
  std::vector<int> of;  // per local unknown
  CoarseNumbers numbers;
};

StayingUnknowns staying_unknowns(int rank, const LocalNumbering& numbering, const std::vector<char>& eliminated) {
  std::vector<std::int64_t> ids;
  std::vector<int> of(numbering.total(), -1);
  for (int i = 0; i < numbering.owned; ++i) {
    if (eliminated[i]) continue;
    of[i] = static_cast<int>(ids.size());
    ids.push_back(numbering.global_id[i]);
  }
  StayingUnknowns staying{std::move(of), CoarseNumbers(rank, std::move(ids))};
  for (int i = numbering.owned; i < numbering.total(); ++i) {
    if (!eliminated[i]) staying.of[i] = staying.numbers.number_of(numbering.global_id[i], numbering.owner[i]);
  }
  return staying;
}

struct SentRow {
  std::int64_t id;
  int entries;
};
struct SentColumn {
  std::int64_t id;
  int owner;
  real value;
};

/// Receives the eliminated rows of the halo. Collective.
EliminatedRows eliminated_rows(const HostExchange& exchange, const GraphLevel& level,
                               const std::vector<char>& eliminated, StayingUnknowns& staying) {
  const LocalNumbering& numbering = level.numbering;
  const MatrixRows& rows = level.rows;
  EliminatedRows result{std::vector<int>(numbering.total(), 0), std::vector<int>(numbering.total(), 0), {}};
  for (int i = 0; i < numbering.owned; ++i) {
    result.begin[i] = static_cast<int>(result.entries.size());
    for (int k = rows.offset[i]; eliminated[i] && k < rows.offset[i + 1]; ++k) {
      const int number = staying.of[rows.column[k]];
      if (number >= 0) result.entries.push_back({number, rows.value[k]});
    }
    result.end[i] = static_cast<int>(result.entries.size());
  }
  const Comm& comm = exchange.comm();
  if (comm.size() == 1) return result;
  std::vector<std::vector<SentRow>> rows_to(comm.size());
  std::vector<std::vector<SentColumn>> columns_to(comm.size());
  for (const ExchangePlan::Neighbour& n : exchange.plan().neighbours) {
    for (int s = n.send_begin; s < n.send_begin + n.send_count; ++s) {
      const int i = exchange.plan().send_index[s];
      if (!eliminated[i]) continue;
      rows_to[n.rank].push_back({numbering.global_id[i], result.end[i] - result.begin[i]});
      for (int k = result.begin[i]; k < result.end[i]; ++k) {
        const auto [column, value] = result.entries[k];
        columns_to[n.rank].push_back({staying.numbers.id(column), staying.numbers.owner(column), value});
      }
    }
  }
  const auto rows_from = exchange_lists(comm, rows_to);
  const auto columns_from = exchange_lists(comm, columns_to);
  for (int rank = 0; rank < comm.size(); ++rank) {
    auto sent = columns_from[rank].begin();
    for (const SentRow& row : rows_from[rank]) {
      const int i = place_in_halo(numbering, {rank, row.id});
      result.begin[i] = static_cast<int>(result.entries.size());
      for (int k = 0; k < row.entries; ++k, ++sent) {
        result.entries.push_back({staying.numbers.number_of(sent->id, sent->owner), sent->value});
      }
      result.end[i] = static_cast<int>(result.entries.size());
    }
  }
  return result;
}

/// The numbering of the unknowns that stay, all of them in it; `local_of`: by their numbers. Collective.
LocalNumbering numbering_of(const Comm& comm, const CoarseNumbers& numbers, std::vector<int>& local_of) {
  LocalNumbering owned;
  owned.owned = numbers.owned();
  owned.global_count = comm.sum(std::int64_t{numbers.owned()});
  for (int c = 0; c < numbers.owned(); ++c) {
    owned.global_id.push_back(numbers.id(c)), owned.owner.push_back(comm.rank());
  }
  std::vector<HaloEntry> halo;
  for (int c = numbers.owned(); c < numbers.total(); ++c) halo.push_back({numbers.owner(c), numbers.id(c)});
  LocalNumbering result = with_halo(owned, halo);
  for (int c = 0; c < numbers.owned(); ++c) local_of.push_back(c);
  for (const HaloEntry& entry : halo) local_of.push_back(place_in_halo(result, entry));
  return result;
}

}  // namespace

GraphLevel schur_complement(const HostExchange& exchange, const GraphLevel& level,
                            const std::vector<char>& eliminated) {
  const MatrixRows& rows = level.rows;
  StayingUnknowns staying = staying_unknowns(exchange.comm().rank(), level.numbering, eliminated);
  const EliminatedRows of_eliminated = eliminated_rows(exchange, level, eliminated, staying);
  CoarseNumbers& numbers = staying.numbers;
  // A matrix that was thinned out may have lost its definiteness, if it had positive couplings: only then is a diagonal
  // entry so small, beside its couplings or beside itself.
  constexpr real least_of_couplings = 0.125, least_of_itself = 1e-6;
  GraphLevel result;
  std::vector<int> local_of;
  result.numbering = numbering_of(exchange.comm(), numbers, local_of);
  const auto& id = result.numbering.global_id;
  RowSums sums(numbers.total());
  std::vector<NumberedEntry> row;
  for (int i = 0; i < rows.rows(); ++i) {
    if (eliminated[i]) continue;
    const int own = staying.of[i];
    sums.add(own, level.diagonal[i]);
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int number = staying.of[rows.column[k]];
      if (number >= 0) sums.add(number, rows.value[k]);
    }
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int e = rows.column[k];
      const real inverse = 1 / level.diagonal[e];
      for (int l = of_eliminated.begin[e]; l < of_eliminated.end[e]; ++l) {
        const NumberedEntry& entry = of_eliminated.entries[l];
        sums.add(entry.column, -(rows.value[k] * entry.value) * inverse);  // the same for the transpose, in bits
      }
    }
    const real diagonal = sums[own];
    real couplings = 0;
    sums.finish([&](int column, double sum) {
      if (column != own) row.push_back({local_of[column], sum});
    });
    std::sort(row.begin(), row.end(),
              [&](const NumberedEntry& a, const NumberedEntry& b) { return id[a.column] < id[b.column]; });
    for (const NumberedEntry& entry : row) {
      result.rows.column.push_back(entry.column), result.rows.value.push_back(entry.value);
      couplings += std::abs(entry.value);
    }
    result.rows.offset.push_back(static_cast<int>(result.rows.column.size()));
    result.diagonal.push_back(
        std::max({diagonal, least_of_couplings * couplings, least_of_itself * level.diagonal[i]}));
    row.clear();
  }
  result.diagonal.resize(result.numbering.total());
  return result;
}

namespace {

/// Strength of a coupling in the order of a row: strong ones first, among equals that with the lowest id.
struct CouplingRank {
  real strength;
  std::int64_t id;
  friend bool operator<(const CouplingRank& a, const CouplingRank& b) {
    return a.strength != b.strength ? a.strength > b.strength : a.id < b.id;
  }
};

}  // namespace

void thin_out(const Comm& comm, GraphLevel& level, int kept) {
  constexpr CouplingRank all{-1, std::numeric_limits<std::int64_t>::max()};
  constexpr real least = 0.25;  // of a diagonal entry: only rows with strong positive couplings would lose so much
  MatrixRows& rows = level.rows;
  const auto& id = level.numbering.global_id;
  const HostExchange exchange(comm, level.numbering);
  exchange(level.diagonal);
  const auto strength = [&](int i, int k) {
    return rows.value[k] * rows.value[k] / (level.diagonal[i] * level.diagonal[rows.column[k]]);
  };
  std::vector<CouplingRank> last(level.numbering.total(), all), row;  // that each row keeps
  for (int i = 0; i < rows.rows(); ++i) {
    if (rows.offset[i + 1] - rows.offset[i] <= kept) continue;
    row.clear();
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) row.push_back({strength(i, k), id[rows.column[k]]});
    std::nth_element(row.begin(), row.begin() + kept - 1, row.end());
    last[i] = row[kept - 1];
  }
  exchange(last);
  std::vector<real> diagonal(level.diagonal.begin(), level.diagonal.begin() + rows.rows());
  int count = 0;
  for (int i = 0, k = 0; i < rows.rows(); ++i) {
    for (const int end = rows.offset[i + 1]; k < end; ++k) {
      const int j = rows.column[k];
      const real its_strength = strength(i, k);
      if (last[i] < CouplingRank{its_strength, id[j]} && last[j] < CouplingRank{its_strength, id[i]}) {
        diagonal[i] += rows.value[k];
      } else {
        rows.column[count] = j, rows.value[count] = rows.value[k], ++count;
      }
    }
    rows.offset[i + 1] = count;
    diagonal[i] = std::max(diagonal[i], least * level.diagonal[i]);
  }
  rows.column.resize(count), rows.value.resize(count);
  std::copy(diagonal.begin(), diagonal.end(), level.diagonal.begin());
  exchange(level.diagonal);
}

}  // namespace solenoid
