#include "mesh/sliced_incidence.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

SlicedIncidence::SlicedIncidence(const IncidenceRows& rows) {
  constexpr int most = 1 << 29;
  const int slices = rows.rows() / pack_width;
  std::vector<int> begin{0}, entries;
  for (int s = 0; s < slices; ++s) {
    const int* const offset = rows.offset.data() + s * pack_width;
    int width = 0;
    for (int l = 0; l < pack_width; ++l) width = std::max(width, offset[l + 1] - offset[l]);
    for (int k = 0; k < width; ++k) {
      for (int l = 0; l < pack_width; ++l) {
        const bool is_filling = offset[l] + k >= offset[l + 1];
        // A row without entries takes the one before it in the table, or the first.
        const int at = is_filling ? std::max(offset[l + 1] - 1, 0) : offset[l] + k;
        require(rows.index[at] < most, [] { return "a rank can hold no more than 2^29 entities: use more ranks"; });
        entries.push_back(4 * rows.index[at] + (is_filling ? 0 : rows.sign[at]) + 1);
      }
    }
    begin.push_back(begin.back() + width);
  }
  slice_ = DeviceArray<int>(begin);
  entry_ = DeviceArray<int>(entries);
}

}  // namespace solenoid
