#include "solve/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>

#include "base/traffic.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

template <class T>
int length(const RowsOf<T>& rows, int i) {
  return rows.offset[i + 1] - rows.offset[i];
}

template <class T>
bool needs_halo(const RowsOf<T>& rows, int owned_columns, int i) {
  const auto first = rows.column.begin() + rows.offset[i], last = rows.column.begin() + rows.offset[i + 1];
  return std::any_of(first, last, [&](int column) { return column >= owned_columns; });
}

/// Rows in the order of their places: within each window those with halo columns last, and long ones first.
template <class T>
std::vector<int> sorted_rows(const RowsOf<T>& rows, int owned_columns) {
  constexpr int window = 128;  // small, so that values stay near each other
  static_assert(window % pack_width == 0);
  std::vector<char> outer;
  for (int i = 0; i < rows.rows(); ++i) outer.push_back(needs_halo(rows, owned_columns, i));
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

/// Start of each slice, in multiples of pack_width entries, with rows in this order.
template <class T>
std::vector<std::int64_t> slice_begins(const RowsOf<T>& rows, const std::vector<int>& order) {
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

/// Padding column for a short row of a rectangular matrix (times 0): its own last column, or if it is empty that of a
/// neighbouring row in the slice. -1 if all are empty.
template <class T>
int filling_column(const RowsOf<T>& rows, const std::vector<int>& order, int place) {
  const int first = place / pack_width * pack_width;
  const int last = std::min(first + pack_width, rows.rows());
  for (int other : {place, first}) {
    for (; other < last; ++other) {
      const int i = order[other];
      if (length(rows, i) > 0) return rows.column[rows.offset[i + 1] - 1];
    }
  }
  return -1;
}

}  // namespace

template <class T>
SlicedRows<T>::SlicedRows(const RowsOf<T>& rows, int owned_columns, bool square) {
  const int row_count = rows.rows();
  constexpr double worth_sorting = 0.92;  // as a share of the entries with unsorted rows
  std::vector<int> order(row_count);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::int64_t> begin = slice_begins(rows, order);
  const std::vector<int> sorted = sorted_rows(rows, owned_columns);
  const std::vector<std::int64_t> of_sorted = slice_begins(rows, sorted);
  const bool is_sorted = static_cast<double>(of_sorted.back()) < worth_sorting * static_cast<double>(begin.back());
  if (is_sorted) order = sorted, begin = of_sorted;
  require(begin.back() * pack_width <= std::int64_t{1} << 30,
          [&] { return message("a matrix of {} rows has too many entries for one rank: use more ranks", row_count); });

  const std::size_t entries = static_cast<std::size_t>(begin.back()) * pack_width;
  std::vector<int> columns(entries), inner_slices, outer_slices;
  std::vector<T> values(entries, 0);
  for (int s = 0; s + 1 < static_cast<int>(begin.size()); ++s) {
    bool reaches_out = false;
    for (int l = 0; l < pack_width; ++l) {
      const int place = s * pack_width + l, i = place < row_count ? order[place] : row_count - 1;
      const int stored = place < row_count ? length(rows, i) : 0;
      reaches_out = reaches_out || (stored > 0 && needs_halo(rows, owned_columns, i));
      const int filling = square ? i : filling_column(rows, order, place);  // 0 times the row's own
      for (std::int64_t k = begin[s]; k < begin[s + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k * pack_width + l);
        const auto from = rows.offset[i] + static_cast<int>(k - begin[s]);
        columns[entry] = k - begin[s] < stored ? rows.column[from] : filling;
        if (k - begin[s] < stored) values[entry] = rows.value[from];
      }
    }
    (reaches_out ? outer_slices : inner_slices).push_back(s);
  }
  value = DeviceArray<T>(values);
  SlicedPattern at{row_count,
                   DeviceArray<int>(std::vector<int>(begin.begin(), begin.end())),
                   DeviceArray<int>(columns),
                   {},
                   {},
                   DeviceArray<int>(inner_slices),
                   DeviceArray<int>(outer_slices)};
  if (is_sorted) {
    std::vector<int> places(row_count);
    for (int place = 0; place < row_count; ++place) places[order[place]] = place;
    at.row_at = DeviceArray<int>(order);
    at.place_of = DeviceArray<int>(places);
  }
  pattern = std::make_shared<SlicedPattern>(std::move(at));
}

template <class T>
template <class Other>
SlicedRows<T>::SlicedRows(const SlicedRows<Other>& other, real factor) : pattern(other.pattern) {
  std::vector<T> values;
  for (const Other entry : other.value.to_host()) values.push_back(static_cast<T>(factor * entry));
  value = DeviceArray<T>(values);
}

template <class T>
template <class X, class Y>
void SlicedRows<T>::set_sum(real a, const SlicedRows<X>& x, real b, const SlicedRows<Y>& y) {
  const X* const of_x = x.value.data();
  const Y* const of_y = y.value.data();
  T* const sum = value.data();
  const auto entries = static_cast<int>(value.size());
  count_traffic(entries * static_cast<std::int64_t>(sizeof(X) + sizeof(Y) + sizeof(T)));
  forall(
      entries, SOLENOID_KERNEL(int i) { sum[i] = static_cast<T>(a * of_x[i] + b * of_y[i]); });
}

template struct SlicedRows<real>;
template struct SlicedRows<float>;
template SlicedRows<real>::SlicedRows(const SlicedRows<real>&, real);
template SlicedRows<float>::SlicedRows(const SlicedRows<real>&, real);
template void SlicedRows<real>::set_sum(real, const SlicedRows<real>&, real, const SlicedRows<real>&);
template void SlicedRows<float>::set_sum(real, const SlicedRows<real>&, real, const SlicedRows<real>&);

}  // namespace solenoid
