#include "solve/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace solenoid {

namespace {

int length(const MatrixRows& rows, int i) { return rows.offset[i + 1] - rows.offset[i]; }

bool needs_halo(const MatrixRows& rows, int i) {
  const auto first = rows.column.begin() + rows.offset[i], last = rows.column.begin() + rows.offset[i + 1];
  return std::any_of(first, last, [&](int column) { return column >= rows.rows(); });
}

/// Rows in the order of their places: within each window those that need the halo last, and long ones first.
std::vector<int> sorted_rows(const MatrixRows& rows) {
  constexpr int window = 128;  // so few that their values stay near each other
  static_assert(window % pack_width == 0);
  std::vector<char> outer;
  for (int i = 0; i < rows.rows(); ++i) outer.push_back(needs_halo(rows, i));
  std::vector<int> order(rows.rows());
  std::iota(order.begin(), order.end(), 0);
  for (int begin = 0; begin < rows.rows(); begin += window) {
    const auto end = order.begin() + std::min(begin + window, rows.rows());
    std::stable_sort(order.begin() + begin, end, [&](int a, int b) {
      return outer[a] != outer[b] ? outer[a] < outer[b] : length(rows, a) > length(rows, b);
    });
  }
  return order;
}

/// Where each slice begins, in multiples of pack_width entries, with rows in this order.
std::vector<std::int64_t> slice_begins(const MatrixRows& rows, const std::vector<int>& order) {
  std::vector<std::int64_t> begin{0};
  for (int place = 0; place < rows.rows(); place += pack_width) {
    int width = 0;
    for (int l = 0; l < pack_width && place + l < rows.rows(); ++l) {
      width = std::max(width, length(rows, order[place + l]));
    }
    begin.push_back(begin.back() + width);
  }
  return begin;
}

}  // namespace

template <class L>
SparseMatrix<L>::SparseMatrix(const MatrixRows& rows, Diagonal diagonal)
    : diagonal_(diagonal), row_count_(rows.rows()) {
  constexpr double worth_sorting = 0.92;  // of the entries that rows in their own order take
  std::vector<int> order(row_count_);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::int64_t> begin = slice_begins(rows, order);
  const std::vector<int> sorted = sorted_rows(rows);
  const std::vector<std::int64_t> of_sorted = slice_begins(rows, sorted);
  const bool is_sorted = static_cast<double>(of_sorted.back()) < worth_sorting * static_cast<double>(begin.back());
  if (is_sorted) order = sorted, begin = of_sorted;
  require(begin.back() * pack_width <= std::int64_t{1} << 30,
          [&] { return message("a matrix of {} rows has too many entries for one rank: use more ranks", row_count_); });

  const std::size_t entries = static_cast<std::size_t>(begin.back()) * pack_width;
  std::vector<int> column(entries), inner, outer;
  std::vector<real> value(entries, 0);
  for (int s = 0; s + 1 < static_cast<int>(begin.size()); ++s) {
    bool reaches_out = false;
    for (int l = 0; l < pack_width; ++l) {
      const int place = s * pack_width + l, i = place < row_count_ ? order[place] : row_count_ - 1;
      const int stored = place < row_count_ ? length(rows, i) : 0;
      reaches_out = reaches_out || (stored > 0 && needs_halo(rows, i));
      for (std::int64_t k = begin[s]; k < begin[s + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k * pack_width + l);
        const auto from = rows.offset[i] + static_cast<int>(k - begin[s]);
        column[entry] = k - begin[s] < stored ? rows.column[from] : i;  // 0 times the row's own
        if (k - begin[s] < stored) value[entry] = rows.value[from];
      }
    }
    (reaches_out ? outer : inner).push_back(s);
  }
  slice_ = DeviceArray<int>(std::vector<int>(begin.begin(), begin.end()));
  column_ = DeviceArray<int>(column);
  value_ = DeviceArray<real>(value);
  inner_ = DeviceArray<int>(inner);
  outer_ = DeviceArray<int>(outer);
  if (!is_sorted) return;
  std::vector<int> place_of(row_count_);
  for (int place = 0; place < row_count_; ++place) place_of[order[place]] = place;
  row_at_ = DeviceArray<int>(order);
  place_of_ = DeviceArray<int>(place_of);
}

template class SparseMatrix<Node>;
template class SparseMatrix<Edge>;
template class SparseMatrix<Face>;
template class SparseMatrix<Cell>;

}  // namespace solenoid
