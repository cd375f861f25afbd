/// Signed incidence tables: for each entity at To, the entities at From around it with the sign +-1 of their
/// orientation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/entity.hpp"
#include "mesh/local_numbering.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// One entry of a row: the neighbour, its sign, and its place in the table (for metrics stored slot by slot).
template <class From>
struct IncidenceEntry {
  Index<From> index;
  real sign;
  int slot;
};

/// An incidence table as kernels see it. The sign is the complement bit of the stored index: -1 is stored as ~index.
template <class To, class From>
struct IncidenceView {
  const int* offset = nullptr;
  const int* code = nullptr;

  struct Iterator {
    const int* code;
    int slot;
    SOLENOID_HD IncidenceEntry<From> operator*() const {
      const int c = code[slot], negative = c >> 31;  // 0 or -1: no branch, for signs come in any order
      return {{c ^ negative}, static_cast<real>(negative | 1), slot};
    }
    SOLENOID_HD Iterator& operator++() { return ++slot, *this; }
    SOLENOID_HD bool operator!=(const Iterator& other) const { return slot != other.slot; }
  };
  struct Row {
    Iterator first, last;
    SOLENOID_HD Iterator begin() const { return first; }
    SOLENOID_HD Iterator end() const { return last; }
  };
  SOLENOID_HD Row operator[](Index<To> i) const { return {{code, offset[i.value]}, {code, offset[i.value + 1]}}; }
};

/// An entry of a row that is put together, to be sorted by the neighbour's global id.
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
  /// A whole row, which it sorts.
  void add_sorted(std::span<IncidenceRowEntry> row);
};

/// The table turned round, with rows for its first `rows` columns: who names me, with the same sign times `factor`.
/// `numbering`: of the table's rows.
IncidenceRows transpose(const IncidenceRows& table, int rows, const LocalNumbering& numbering, int factor);

IncidenceRows first_rows(const IncidenceRows& table, int count);

/// A table with a row for each owned entity at To, on host and device. Rows ascend in the neighbours' global ids, so
/// that sums over a row do not depend on the partition.
template <class To, class From>
class Incidence {
 public:
  Incidence() = default;
  explicit Incidence(IncidenceRows rows) : host_(std::move(rows)), offset_(host_.offset), code_(codes(host_)) {}

  IncidenceView<To, From> view() const { return {offset_.data(), code_.data()}; }
  const IncidenceRows& host() const { return host_; }

 private:
  static std::vector<int> codes(const IncidenceRows& rows) {
    std::vector<int> code(rows.index.size());
    for (std::size_t k = 0; k < code.size(); ++k) code[k] = rows.sign[k] > 0 ? rows.index[k] : ~rows.index[k];
    return code;
  }

  IncidenceRows host_;
  DeviceArray<int> offset_, code_;
};

}  // namespace solenoid
