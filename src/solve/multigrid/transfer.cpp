#include "solve/multigrid/transfer.hpp"

#include <algorithm>

#include "solve/multigrid/row_sums.hpp"

namespace solenoid {

namespace {

/// An entry to be sent to another rank.
struct SentEntry {
  std::int64_t row, column;
  int owner_of_column;
  float p, ap;
};
using Lists = std::vector<std::vector<SentEntry>>;

/// Appends the current row to `rows`.
void end_row(RowSums& sums, SingleRows& rows) {
  sums.finish([&](int column, double sum) {
    rows.column.push_back(column);
    rows.value.push_back(static_cast<float>(sum));
  });
  rows.offset.push_back(static_cast<int>(rows.column.size()));
}

/// (1 - step A) P0 with P0 the null vector on each aggregate.
SingleRows smoothed_once(const HostLevel& level, const Aggregates& aggregates, float step) {
  const SingleRows& rows = level.rows;
  SingleRows p;
  RowSums sums(aggregates.numbers.total());
  const auto add = [&](int j, double factor) {
    if (aggregates.of[j] >= 0) sums.add(aggregates.of[j], factor * static_cast<double>(level.null[j]));
  };
  for (int i = 0; i < rows.rows(); ++i) {
    add(i, 1 - static_cast<double>(step));
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      add(rows.column[k], -static_cast<double>(step) * static_cast<double>(rows.value[k]));
    }
    end_row(sums, p);
  }
  return p;
}

/// Appends the rows of the halo to the owned ones. Collective.
void append_halo_rows(const HostExchange& exchange, const LocalNumbering& numbering, CoarseNumbers& numbers,
                      SingleRows& p) {
  const Comm& comm = exchange.comm();
  if (comm.size() == 1) return;
  Lists to(comm.size());
  for (const ExchangePlan::Neighbour& n : exchange.plan().neighbours) {
    for (int s = n.send_begin; s < n.send_begin + n.send_count; ++s) {
      const int i = exchange.plan().send_index[s];
      for (int k = p.offset[i]; k < p.offset[i + 1]; ++k) {
        const int column = p.column[k];
        to[n.rank].push_back({numbering.global_id[i], numbers.id(column), numbers.owner(column), p.value[k], 0});
      }
    }
  }
  const Lists from = exchange_lists(comm, to);
  std::vector<std::size_t> next(comm.size(), 0);
  for (int i = numbering.owned; i < numbering.total(); ++i) {
    const std::vector<SentEntry>& list = from[numbering.owner[i]];
    std::size_t& k = next[numbering.owner[i]];
    for (; k < list.size() && list[k].row == numbering.global_id[i]; ++k) {
      p.column.push_back(numbers.number_of(list[k].column, list[k].owner_of_column));
      p.value.push_back(list[k].p);
    }
    p.offset.push_back(static_cast<int>(p.column.size()));
  }
}

/// Adds factor times row j of P to the sums.
void add_row(RowSums& sums, const SingleRows& p, int j, double factor) {
  sums.add(p.column, p.value, p.offset[j], p.offset[j + 1], factor);
}

/// (1 - step A) P for the owned rows, P with the rows of the halo.
SingleRows smoothed_again(const HostLevel& level, const SingleRows& p, int columns, float step) {
  const SingleRows& rows = level.rows;
  SingleRows result;
  RowSums sums(columns);
  for (int i = 0; i < rows.rows(); ++i) {
    add_row(sums, p, i, 1 - static_cast<double>(step));
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      add_row(sums, p, rows.column[k], -static_cast<double>(step) * static_cast<double>(rows.value[k]));
    }
    end_row(sums, result);
  }
  return result;
}

/// P and A P for the owned rows, P with the rows of the halo.
TransferRows with_product(const HostLevel& level, const SingleRows& p, int columns) {
  const SingleRows& rows = level.rows;
  TransferRows result;
  RowSums sums(columns);
  for (int i = 0; i < rows.rows(); ++i) {
    add_row(sums, p, i, 1);  // its columns come first, in order
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      add_row(sums, p, rows.column[k], static_cast<double>(rows.value[k]));
    }
    int of_p = p.offset[i];
    sums.finish([&](int column, double sum) {
      result.column.push_back(column);
      result.p.push_back(of_p < p.offset[i + 1] ? p.value[of_p++] : 0);
      result.ap.push_back(static_cast<float>(sum));
    });
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// Sends each row to the owners of its columns, and appends the received rows to the owned ones. Collective.
void append_rows_of_others(const HostExchange& exchange, const LocalNumbering& numbering, CoarseNumbers& numbers,
                           TransferRows& rows) {
  const Comm& comm = exchange.comm();
  if (comm.size() == 1) return;
  Lists to(comm.size());
  std::vector<int> owners;
  for (int i = 0; i < rows.rows(); ++i) {
    owners.clear();
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int owner = numbers.owner(rows.column[k]);
      if (owner != comm.rank() && std::find(owners.begin(), owners.end(), owner) == owners.end()) {
        owners.push_back(owner);
      }
    }
    for (const int owner : owners) {
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        const int column = rows.column[k];
        to[owner].push_back({numbering.global_id[i], numbers.id(column), numbers.owner(column), rows.p[k], rows.ap[k]});
      }
    }
  }
  const Lists from = exchange_lists(comm, to);
  for (int rank = 0; rank < comm.size(); ++rank) {
    const std::vector<SentEntry>& list = from[rank];
    for (std::size_t k = 0; k < list.size(); ++k) {
      rows.column.push_back(numbers.number_of(list[k].column, list[k].owner_of_column));
      rows.p.push_back(list[k].p);
      rows.ap.push_back(list[k].ap);
      if (k + 1 < list.size() && list[k + 1].row == list[k].row) continue;
      rows.offset.push_back(static_cast<int>(rows.column.size()));
      rows.id_of_other.push_back(list[k].row);
      rows.owner_of_other.push_back(rank);
    }
  }
}

}  // namespace

TransferRows transfer_rows(const HostExchange& exchange, const HostLevel& level, Aggregates& aggregates,
                           const std::vector<float>& steps) {
  SingleRows p = smoothed_once(level, aggregates, steps.front());
  append_halo_rows(exchange, level.numbering, aggregates.numbers, p);
  for (std::size_t k = 1; k < steps.size(); ++k) {
    p = smoothed_again(level, p, aggregates.numbers.total(), steps[k]);
    append_halo_rows(exchange, level.numbering, aggregates.numbers, p);
  }
  TransferRows rows = with_product(level, p, aggregates.numbers.total());
  append_rows_of_others(exchange, level.numbering, aggregates.numbers, rows);
  return rows;
}

}  // namespace solenoid
