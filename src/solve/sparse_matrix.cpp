#include "solve/sparse_matrix.hpp"

#include <algorithm>

namespace solenoid {

template <class L>
SparseMatrix<L>::SparseMatrix(const MatrixRows& rows, Diagonal diagonal)
    : diagonal_(diagonal), row_count_(rows.rows()) {
  const int slices = (row_count_ + pack_width - 1) / pack_width;
  std::vector<int> begin{0}, inner, outer;
  for (int s = 0; s < slices; ++s) {
    const int end = std::min(row_count_, (s + 1) * pack_width);
    int width = 0;
    for (int i = s * pack_width; i < end; ++i) width = std::max(width, rows.offset[i + 1] - rows.offset[i]);
    begin.push_back(begin.back() + width);
    const auto first = rows.column.begin() + rows.offset[s * pack_width], last = rows.column.begin() + rows.offset[end];
    const bool needs_halo = std::any_of(first, last, [&](int column) { return column >= row_count_; });
    (needs_halo ? outer : inner).push_back(s);
  }
  require(static_cast<std::int64_t>(begin.back()) * pack_width <= std::int64_t{1} << 30,
          [&] { return message("a matrix of {} rows has too many entries for one rank: use more ranks", row_count_); });
  const std::size_t entries = static_cast<std::size_t>(begin.back()) * pack_width;
  std::vector<int> column(entries);
  std::vector<real> value(entries, 0);
  for (int s = 0; s < slices; ++s) {
    for (int l = 0; l < pack_width; ++l) {
      const int i = s * pack_width + l, first = i < row_count_ ? rows.offset[i] : 0;
      const int length = i < row_count_ ? rows.offset[i + 1] - first : 0;
      for (int k = begin[s]; k < begin[s + 1]; ++k) {
        const std::size_t entry = static_cast<std::size_t>(k) * pack_width + l;
        const bool stored = k - begin[s] < length;
        column[entry] =
            stored ? rows.column[first + k - begin[s]] : std::min(i, row_count_ - 1);  // 0 times the row's own
        if (stored) value[entry] = rows.value[first + k - begin[s]];
      }
    }
  }
  slice_ = DeviceArray<int>(begin);
  column_ = DeviceArray<int>(column);
  value_ = DeviceArray<real>(value);
  inner_ = DeviceArray<int>(inner);
  outer_ = DeviceArray<int>(outer);
}

template class SparseMatrix<Node>;
template class SparseMatrix<Edge>;
template class SparseMatrix<Face>;
template class SparseMatrix<Cell>;

}  // namespace solenoid
