#include "mesh/incidence.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "parallel/device_array.hpp"

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

SlicedIncidence::SlicedIncidence(const IncidenceRows& rows) {
  constexpr int most = 1 << 29;
  const int slices = rows.rows() / pack_width;
  std::vector<int> begin{0};
  begin.reserve(static_cast<std::size_t>(slices) + 1);
  for (int s = 0; s < slices; ++s) {
    const int* const offset = rows.offset.data() + s * pack_width;
    int width = 0;
    for (int l = 0; l < pack_width; ++l) {
      require(offset[l + 1] > offset[l], [] { return "a row of an incidence table is empty"; });
      width = std::max(width, offset[l + 1] - offset[l]);
    }
    begin.push_back(begin.back() + width);
  }
  DeviceWriter<int> entries(static_cast<std::size_t>(begin.back()) * pack_width);
  for (int s = 0; s < slices; ++s) {
    const int* const offset = rows.offset.data() + s * pack_width;
    for (int k = 0; k < begin[s + 1] - begin[s]; ++k) {
      for (int l = 0; l < pack_width; ++l) {
        const bool is_filling = offset[l] + k >= offset[l + 1];
        const int at = is_filling ? offset[l + 1] - 1 : offset[l] + k;
        require(rows.index[at] < most, [] { return "a rank can hold no more than 2^29 entities: use more ranks"; });
        entries.push_back(4 * rows.index[at] + (is_filling ? 0 : rows.sign[at]) + 1);
      }
    }
  }
  slice_ = DeviceArray<int>(begin);
  entry_ = entries.take();
}

}  // namespace solenoid
