/// The four locations of mesh values as types, and the signed incidence tables between them: for each entity at To the
/// entities at From around it, with the sign +-1 of their orientation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/real.hpp"
#include "mesh/local_numbering.hpp"
#include "parallel/device_array.hpp"
#include "parallel/pack.hpp"

namespace solenoid {

struct Node {
  static constexpr const char* name = "node";
};
struct Edge {  ///< in 2D: a node seen end-on
  static constexpr const char* name = "edge";
};
struct Face {  ///< in 2D: a side of a triangle, with unit depth
  static constexpr const char* name = "face";
};
struct Cell {
  static constexpr const char* name = "cell";
};

/// Local number of an entity at location L.
template <class L>
struct Index {
  int value;
};

/// Values at location L, indexed by Index<L>. Kernels capture it by copy.
template <class L, class T = real>
struct View {
  T* data = nullptr;
  SOLENOID_HD T& operator[](Index<L> i) const { return data[i.value]; }
};

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

/// The table in slices of pack_width rows, for kernels: each slice stores the first entry of each row, then the second
/// of each, and so on, so that no branch depends on the length of a row. An entry is 4 index + sign + 1; short rows are
/// padded with their own last entry and sign 0. No row is empty. Rows after the last whole slice are omitted.
struct SlicedIncidenceView {
  const int* slice = nullptr;  ///< start of each slice, in multiples of pack_width entries; plus the end
  const int* entry = nullptr;

  /// Row sums over the slice that starts with row `first`, in the order of the rows.
  template <class T>
  Pack<T> sums(const T* values, int first) const {
    Pack<T> sum{};
    const int begin = slice[first / pack_width], end = slice[first / pack_width + 1];
    for (int k = begin; k < end; ++k) {
      const int* const entries = entry + k * pack_width;
      for (int l = 0; l < pack_width; ++l) {
        sum.value[l] += static_cast<FactorOf<T>>((entries[l] & 3) - 1) * values[entries[l] >> 2];
      }
    }
    return sum;
  }
};

/// Owner of the arrays of the view.
class SlicedIncidence {
 public:
  SlicedIncidence() = default;
  /// Throws if an index is 2^29 or more, or a row is empty.
  explicit SlicedIncidence(const IncidenceRows& rows);

  SlicedIncidenceView view() const { return {slice_.data(), entry_.data()}; }

 private:
  DeviceArray<int> slice_, entry_;
};

/// One entry of a row: the neighbour, its sign, and its slot in the table (for metrics stored by slot).
template <class From>
struct IncidenceEntry {
  Index<From> index;
  real sign;
  int slot;
};

/// An incidence table for kernels. The sign is the complement bit of the stored index: -1 is stored as ~index.
template <class To, class From>
struct IncidenceView {
  const int* offset = nullptr;
  const int* code = nullptr;

  struct Iterator {
    const int* code;
    int slot;
    SOLENOID_HD IncidenceEntry<From> operator*() const {
      const int c = code[slot], negative = c >> 31;  // 0 or -1: no branch, because signs are in random order
      return {{c ^ negative}, static_cast<real>(negative | 1), slot};
    }
    SOLENOID_HD Iterator& operator++() { return ++slot, *this; }
    SOLENOID_HD bool operator!=(const Iterator& other) const { return slot != other.slot; }
  };
  struct Row {
    Iterator first, last;
    SOLENOID_HD Iterator begin() const { return first; }
    SOLENOID_HD Iterator end() const { return last; }
    SOLENOID_HD IncidenceEntry<From> operator[](int k) const { return *Iterator{first.code, first.slot + k}; }
  };
  SOLENOID_HD Row operator[](Index<To> i) const { return {{code, offset[i.value]}, {code, offset[i.value + 1]}}; }
};

/// A table with one row per owned entity at To, on host and device. Rows ascend in the neighbours' global ids, so that
/// sums over a row do not depend on the partition.
template <class To, class From>
class Incidence {
 public:
  Incidence() = default;
  explicit Incidence(IncidenceRows rows) : host_(std::move(rows)), offset_(host_.offset), code_(codes(host_)) {
    if (cores_take_packs) sliced_ = SlicedIncidence(host_);
  }

  IncidenceView<To, From> view() const { return {offset_.data(), code_.data()}; }
  SlicedIncidenceView sliced() const { return sliced_.view(); }  ///< empty in GPU builds
  const IncidenceRows& host() const { return host_; }
  /// Bytes of the table read by a kernel over all rows.
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(sizeof(int) * (host_.offset.size() + host_.index.size()));
  }

 private:
  static std::vector<int> codes(const IncidenceRows& rows) {
    std::vector<int> code(rows.index.size());
    for (std::size_t k = 0; k < code.size(); ++k) code[k] = rows.sign[k] > 0 ? rows.index[k] : ~rows.index[k];
    return code;
  }

  IncidenceRows host_;
  DeviceArray<int> offset_, code_;
  SlicedIncidence sliced_;
};

/// On CPU cores, prefetches `value`, which has some hundred bytes at most.
template <class T>
[[gnu::always_inline]] SOLENOID_HD inline void start_to_fetch([[maybe_unused]] const T& value) {
  if constexpr (cores_take_packs) {
    constexpr std::size_t line = 64;
    const char* const begin = reinterpret_cast<const char*>(&value);
    for (std::size_t k = 0; k < sizeof(T); k += line) __builtin_prefetch(begin + k);
    __builtin_prefetch(begin + sizeof(T) - 1);
  }
}

/// On CPU cores, prefetches the `values` that a kernel over `rows` gathers some rows after row i of `count`.
template <class To, class From, class T>
[[gnu::always_inline]] SOLENOID_HD inline void fetch_ahead([[maybe_unused]] const IncidenceView<To, From>& rows,
                                                           [[maybe_unused]] int i, [[maybe_unused]] int count,
                                                           [[maybe_unused]] View<From, const T> values) {
  if constexpr (cores_take_packs) {
    constexpr int ahead = 24;
    if (i + ahead >= count) return;
    const int end = rows.offset[i + ahead + 1];
    for (int k = rows.offset[i + ahead]; k < end; ++k) {
      start_to_fetch(values.data[rows.code[k] ^ (rows.code[k] >> 31)]);
    }
  }
}

}  // namespace solenoid
