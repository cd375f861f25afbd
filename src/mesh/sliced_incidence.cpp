#include "mesh/sliced_incidence.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "parallel/device_writer.hpp"

namespace solenoid {

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
