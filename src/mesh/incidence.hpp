/// Signed incidence tables: for each entity at To the entities at From around it, with the sign +-1 of their
/// orientation.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/entity.hpp"
#include "mesh/sliced_incidence.hpp"

namespace solenoid {

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

}  // namespace solenoid
