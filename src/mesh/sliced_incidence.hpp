/// An incidence table for CPU cores, with rows side by side.
#pragma once

#include "base/real.hpp"
#include "mesh/incidence_rows.hpp"
#include "parallel/device_array.hpp"
#include "parallel/pack.hpp"

namespace solenoid {

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

}  // namespace solenoid
