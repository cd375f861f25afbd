/// Signed incidence tables on the host, during assembly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/local_numbering.hpp"

namespace solenoid {

/// An entry of a row during assembly, for sorting by the neighbour's global id.
struct IncidenceRowEntry {
  std::int64_t id;
  int index, sign;
};

/// Rows of an incidence table on the host: `index[k]`, `sign[k]` for offset[i] <= k < offset[i + 1].
struct IncidenceRows {
  std::vector<int> offset{0};
  std::vector<int> index;
  std::vector<signed char> sign;

  int rows() const { return static_cast<int>(offset.size()) - 1; }
  void reserve(std::size_t rows, std::size_t entries) {
    offset.reserve(rows + 1);
    index.reserve(entries);
    sign.reserve(entries);
  }
  void add(int neighbour, int orientation) {
    index.push_back(neighbour);
    sign.push_back(static_cast<signed char>(orientation));
  }
  void end_row() { offset.push_back(static_cast<int>(index.size())); }
  /// Sorts `row` and appends it as a whole row.
  void add_sorted(std::span<IncidenceRowEntry> row);
};

/// The transposed table with rows for its first `rows` columns, signs multiplied by `factor`. `numbering`: of the rows
/// of `table`.
IncidenceRows transpose(const IncidenceRows& table, int rows, const LocalNumbering& numbering, int factor);

IncidenceRows first_rows(const IncidenceRows& table, int count);

}  // namespace solenoid
