/// An incidence table for CPU cores, with rows side by side.
#pragma once

#include "base/real.hpp"
#include "mesh/incidence_rows.hpp"
#include "parallel/device_array.hpp"
#include "parallel/pack.hpp"

namespace solenoid {

/// The table in slices of pack_width rows, as kernels see it: within a slice the first entry of each row, then the
/// second of each, and so on, so that no branch depends on the length of a row. An entry is 4 index + sign + 1; what
/// fills up a short row is its own last entry with the sign 0. No row is empty. Rows behind the last whole slice are
/// not there.
struct SlicedIncidenceView {
  const int* slice = nullptr;  ///< where each slice begins, in multiples of pack_width entries; one more at the end
  const int* entry = nullptr;

  /// The rows' sums over the slice that row `first` begins, in the order of the rows.
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

/// The arrays behind it.
class SlicedIncidence {
 public:
  SlicedIncidence() = default;
  /// Throws where indices are too large for an entry, from 2^29 on, or a row is empty.
  explicit SlicedIncidence(const IncidenceRows& rows);

  SlicedIncidenceView view() const { return {slice_.data(), entry_.data()}; }

 private:
  DeviceArray<int> slice_, entry_;
};

}  // namespace solenoid
