#include "mesh/incidence_rows.hpp"

#include <algorithm>

#include "mesh/csr.hpp"

namespace solenoid {

void IncidenceRows::add_sorted(std::span<IncidenceRowEntry> row) {
  std::sort(row.begin(), row.end(), [](const IncidenceRowEntry& a, const IncidenceRowEntry& b) { return a.id < b.id; });
  for (const IncidenceRowEntry& entry : row) add(entry.index, entry.sign);
  end_row();
}

IncidenceRows transpose(const IncidenceRows& table, int rows, const LocalNumbering& numbering, int factor) {
  Csr<IncidenceRowEntry> entries(rows, [&](const auto& visit) {
    for (int i = 0; i < table.rows(); ++i) {
      for (int k = table.offset[i]; k < table.offset[i + 1]; ++k) {
        visit(table.index[k], IncidenceRowEntry{numbering.global_id[i], i, factor * table.sign[k]});
      }
    }
  });
  IncidenceRows result;
  result.reserve(rows, entries.entries().size());
  for (int row = 0; row < rows; ++row) result.add_sorted(entries[row]);
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
