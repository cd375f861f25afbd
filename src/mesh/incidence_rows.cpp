#include "mesh/incidence_rows.hpp"

#include <algorithm>
#include <numeric>

namespace solenoid {

void IncidenceRows::add_sorted(std::span<IncidenceRowEntry> row) {
  std::sort(row.begin(), row.end(), [](const IncidenceRowEntry& a, const IncidenceRowEntry& b) { return a.id < b.id; });
  for (const IncidenceRowEntry& entry : row) add(entry.index, entry.sign);
  end_row();
}

namespace {

/// The first `count` local entities, ascending in their global ids; the owned ones are sorted already.
std::vector<int> ascending_in_global_id(const LocalNumbering& numbering, int count) {
  const auto lower = [&](int a, int b) { return numbering.global_id[a] < numbering.global_id[b]; };
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto halo = order.begin() + std::min(numbering.owned, count);
  std::sort(halo, order.end(), lower);
  std::inplace_merge(order.begin(), halo, order.end(), lower);
  return order;
}

}  // namespace

IncidenceRows transpose(const IncidenceRows& table, int rows, const LocalNumbering& numbering, int factor) {
  IncidenceRows result;
  result.offset.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const int column : table.index) {
    if (column < rows) ++result.offset[column + 1];
  }
  std::partial_sum(result.offset.begin(), result.offset.end(), result.offset.begin());
  result.index.resize(static_cast<std::size_t>(result.offset.back()));
  result.sign.resize(result.index.size());
  std::vector<int> next(result.offset.begin(), result.offset.end() - 1);
  for (const int i : ascending_in_global_id(numbering, table.rows())) {
    for (int k = table.offset[i]; k < table.offset[i + 1]; ++k) {
      if (table.index[k] >= rows) continue;
      const int at = next[table.index[k]]++;
      result.index[at] = i;
      result.sign[at] = static_cast<signed char>(factor * table.sign[k]);
    }
  }
  return result;
}

IncidenceRows first_rows(const IncidenceRows& table, int count) {
  IncidenceRows rows;
  rows.offset.assign(table.offset.begin(), table.offset.begin() + count + 1);
  rows.index.assign(table.index.begin(), table.index.begin() + rows.offset.back());
  rows.sign.assign(table.sign.begin(), table.sign.begin() + rows.offset.back());
  return rows;
}

}  // namespace solenoid
