/// Tables that no rank holds whole: blocks of rows in the order of the ranks, read and written by their numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/comm.hpp"
#include "base/counts.hpp"
#include "mesh/csr.hpp"
#include "mesh/host_exchange.hpp"

namespace solenoid {

/// The values of lists, one list after the other; each is gone once it is copied.
template <class T>
std::vector<T> joined_lists(std::vector<std::vector<T>> lists) {
  std::vector<T> all;
  std::size_t count = 0;
  for (const auto& list : lists) count += list.size();
  all.reserve(count);
  for (auto& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    list = std::vector<T>();  // `{}` would keep the memory
  }
  return all;
}

/// The values that all ranks send to this one, in their order; `to`: for each rank, gone once they are sent.
/// Collective.
template <class T>
std::vector<T> exchanged(const Comm& comm, std::vector<std::vector<T>> to) {
  std::vector<std::vector<T>> from = exchange_lists(comm, to);
  to = std::vector<std::vector<T>>();
  return joined_lists(std::move(from));
}

/// The values in ascending order, each once.
inline std::vector<std::int64_t> ascending_once(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The rows of each rank in a table: rank r holds those from begin(r) to begin(r + 1).
class RowBlocks {
 public:
  RowBlocks() = default;
  /// `own`: number of rows on this rank. Collective.
  RowBlocks(const Comm& comm, std::int64_t own) {
    for (const std::int64_t count : comm.gather(own)) begin_.push_back(begin_.back() + count);
  }

  std::int64_t begin(int rank) const { return begin_[rank]; }
  std::int64_t count() const { return begin_.back(); }
  int owner(std::int64_t row) const {
    return static_cast<int>(std::upper_bound(begin_.begin(), begin_.end(), row) - begin_.begin()) - 1;
  }

 private:
  std::vector<std::int64_t> begin_{0};
};

/// Some rows of a table, on the ranks that hold them and on the one that asks for them; asked for once, then read and
/// written any number of times.
class RowAccess {
 public:
  /// `rows`: any, also repeated. Collective. Throws a collective Error (exit code 1) for too many on a rank.
  RowAccess(const Comm& comm, const RowBlocks& blocks, std::vector<std::int64_t> rows)
      : comm_(comm), rows_(std::move(rows)) {
    std::vector<std::vector<std::int64_t>> wanted(comm.size());
    comm.guard([&] {
      rows_ = ascending_once(std::move(rows_));
      count_on_rank(std::ssize(rows_), "rows of a table");
      for (const std::int64_t row : rows_) wanted[blocks.owner(row)].push_back(row);
    });
    for (const auto& list : wanted) counts_.push_back(static_cast<int>(list.size()));
    asked_ = exchange_lists(comm, wanted);
    for (auto& list : asked_) {
      for (std::int64_t& row : list) row -= blocks.begin(comm.rank());
    }
  }

  const std::vector<std::int64_t>& rows() const { return rows_; }  ///< ascending, each once
  int size() const { return static_cast<int>(rows_.size()); }
  /// The place of one of them in rows().
  int place(std::int64_t row) const {
    return static_cast<int>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
  }

  /// The values of rows(), in their order; `own`: one per row of this rank. Collective.
  template <class T>
  std::vector<T> read(const std::vector<T>& own) const {
    std::vector<std::vector<T>> replies(asked_.size());
    for (std::size_t rank = 0; rank < asked_.size(); ++rank) {
      replies[rank].reserve(asked_[rank].size());
      for (const std::int64_t row : asked_[rank]) replies[rank].push_back(own[static_cast<std::size_t>(row)]);
    }
    return joined_lists(exchange_lists(comm_, replies));
  }

  /// The entries of the rows() of a table with any number in each; `own`: the rows of this rank. Collective.
  template <class T>
  std::vector<T> read_lists(const Csr<T>& own) const {
    std::vector<std::vector<T>> replies(asked_.size());
    for (std::size_t rank = 0; rank < asked_.size(); ++rank) {
      for (const std::int64_t row : asked_[rank]) {
        const std::span<const T> entries = own[static_cast<int>(row)];
        replies[rank].insert(replies[rank].end(), entries.begin(), entries.end());
      }
    }
    return joined_lists(exchange_lists(comm_, replies));
  }

  /// Sends `values`, one per entry of rows(), to their ranks, which call visit(row, value) for each, rank by rank, with
  /// the place of the row in their own block. Collective.
  template <class T, class Visit>
  void write(const std::vector<T>& values, const Visit& visit) const {
    std::vector<std::vector<T>> sent(counts_.size());
    auto next = values.begin();
    for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
      sent[rank].assign(next, next + counts_[rank]);
      next += counts_[rank];
    }
    const std::vector<std::vector<T>> received = exchange_lists(comm_, sent);
    for (std::size_t rank = 0; rank < received.size(); ++rank) {
      for (std::size_t k = 0; k < received[rank].size(); ++k) visit(asked_[rank][k], received[rank][k]);
    }
  }

 private:
  Comm comm_;
  std::vector<std::int64_t> rows_;
  std::vector<int> counts_;                       // of rows_ on each rank
  std::vector<std::vector<std::int64_t>> asked_;  // by each rank, places in the own block
};

/// Moves rows between neighbouring blocks until every rank has an even share; their order stays. Collective.
template <class T>
std::vector<T> in_even_blocks(const Comm& comm, std::vector<T> own) {
  const RowBlocks blocks(comm, std::ssize(own));
  const std::int64_t first = blocks.begin(comm.rank()), ranks = comm.size();
  std::vector<std::vector<T>> sent(static_cast<std::size_t>(ranks));
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto place = [&](std::int64_t row) {
      return own.begin() + std::clamp<std::int64_t>(row - first, 0, std::ssize(own));
    };
    sent[rank].assign(place(blocks.count() * rank / ranks), place(blocks.count() * (rank + 1) / ranks));
  }
  own = std::vector<T>();
  return exchanged(comm, std::move(sent));
}

/// Calls check(a, b) for all neighbours of a table, also those on two ranks. Collective. If it throws, so do all ranks.
template <class T, class Check>
void check_neighbours(const Comm& comm, const std::vector<T>& rows, const Check& check) {
  const RowBlocks blocks(comm, std::ssize(rows));
  std::vector<std::int64_t> behind;
  if (blocks.begin(comm.rank() + 1) < blocks.count()) behind.push_back(blocks.begin(comm.rank() + 1));
  const std::vector<T> next = RowAccess(comm, blocks, behind).read(rows);
  comm.guard([&] {
    for (std::size_t k = 1; k < rows.size(); ++k) check(rows[k - 1], rows[k]);
    if (!rows.empty() && !next.empty()) check(rows.back(), next.front());
  });
}

/// The values of all ranks in ascending order, an even share on each rank: a sample sort (Frazer & McKellar 1970).
/// Collective.
template <class T>
std::vector<T> sorted_over_ranks(const Comm& comm, std::vector<T> own) {
  constexpr std::size_t samples = 64;  // of each rank
  std::sort(own.begin(), own.end());
  if (comm.size() == 1) return own;
  std::vector<T> sample;
  for (std::size_t k = 0; k < samples && !own.empty(); ++k) sample.push_back(own[k * own.size() / samples]);
  sample = from_all_ranks(comm, sample);
  std::sort(sample.begin(), sample.end());
  std::vector<std::vector<T>> sent(static_cast<std::size_t>(comm.size()));
  auto begin = own.begin();
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    const bool is_last = rank + 1 == sent.size() || sample.empty();
    const auto end =
        is_last ? own.end() : std::lower_bound(begin, own.end(), sample[(rank + 1) * sample.size() / sent.size()]);
    sent[rank].assign(begin, end);
    begin = end;
  }
  own = std::vector<T>();
  own = exchanged(comm, std::move(sent));
  std::sort(own.begin(), own.end());
  return in_even_blocks(comm, std::move(own));
}

}  // namespace solenoid
