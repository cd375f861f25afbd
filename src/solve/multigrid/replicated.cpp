#include "solve/multigrid/replicated.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/csr.hpp"
#include "mesh/host_exchange.hpp"

namespace solenoid {

namespace {

struct GatheredRow {
  std::int64_t id;
  float null;
  int entries;
};
struct GatheredEntry {
  std::int64_t column;
  float value;
};

/// The lists of all ranks on every rank, by rank. Collective.
template <class T>
std::vector<std::vector<T>> gather_on_all(const Comm& comm, const std::vector<T>& own) {
  std::vector<std::vector<T>> to(comm.size(), own);
  to[comm.rank()].clear();
  std::vector<std::vector<T>> from = exchange_lists(comm, to);
  from[comm.rank()] = own;
  return from;
}

}  // namespace

Replicated replicate(const Comm& comm, const HostLevel& level) {
  const SingleRows& rows = level.rows;
  const auto& id = level.numbering.global_id;
  std::vector<GatheredRow> own_rows;
  std::vector<GatheredEntry> own_entries;
  for (int i = 0; i < rows.rows(); ++i) {
    own_rows.push_back({id[i], level.null[i], rows.offset[i + 1] - rows.offset[i]});
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k)
      own_entries.push_back({id[rows.column[k]], rows.value[k]});
  }
  const auto rows_of = gather_on_all(comm, own_rows);
  const auto entries_of = gather_on_all(comm, own_entries);

  Replicated result;
  LocalNumbering& gathered = result.gathered;
  gathered.owned = rows.rows();
  gathered.global_count = level.numbering.global_count;
  const auto append = [&](int rank) {
    for (const GatheredRow& row : rows_of[rank]) {
      gathered.global_id.push_back(row.id);
      gathered.owner.push_back(rank);
    }
  };
  append(comm.rank());
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank != comm.rank()) append(rank);
  }

  LocalNumbering& whole = result.level.numbering;
  whole.owned = gathered.total();
  whole.global_count = gathered.global_count;
  whole.global_id = gathered.global_id;
  std::sort(whole.global_id.begin(), whole.global_id.end());
  whole.owner.assign(whole.global_id.size(), 0);
  const auto number = [&](std::int64_t global_id) {
    const auto place = std::lower_bound(whole.global_id.begin(), whole.global_id.end(), global_id);
    return static_cast<int>(place - whole.global_id.begin());
  };
  for (const std::int64_t global_id : gathered.global_id) result.place.push_back(number(global_id));

  struct Entry {
    int column;
    float value;
  };
  std::vector<std::vector<Entry>> numbered(comm.size());
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (const GatheredEntry& entry : entries_of[rank]) numbered[rank].push_back({number(entry.column), entry.value});
  }
  result.level.null.resize(whole.owned);
  const Csr<Entry> entries(whole.owned, [&](const auto& visit) {
    for (int rank = 0; rank < comm.size(); ++rank) {
      auto entry = numbered[rank].begin();
      for (const GatheredRow& row : rows_of[rank]) {
        const int i = number(row.id);
        result.level.null[i] = row.null;
        for (int k = 0; k < row.entries; ++k, ++entry) visit(i, *entry);
      }
    }
  });
  SingleRows& all = result.level.rows;
  for (int i = 0; i < whole.owned; ++i) {
    for (const Entry& entry : entries[i]) {
      all.column.push_back(entry.column);
      all.value.push_back(entry.value);
    }
    all.offset.push_back(static_cast<int>(all.column.size()));
  }
  return result;
}

}  // namespace solenoid
