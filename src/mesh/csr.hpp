/// Compressed sparse rows on the host, assembled by counting sort.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace solenoid {

/// Row i holds its entries in the order of their visits.
template <class T>
class Csr {
 public:
  Csr() = default;

  /// `for_each(visit)` calls visit(row, entry) for every entry. It runs twice and must make the same calls both times.
  /// Entries of rows >= `rows` are ignored.
  template <class ForEach>
  Csr(int rows, const ForEach& for_each) : begin_(static_cast<std::size_t>(rows) + 1, 0) {
    for_each([&](int row, const T&) {
      if (row < rows) ++begin_[row + 1];
    });
    for (int row = 0; row < rows; ++row) begin_[row + 1] += begin_[row];
    entries_.resize(static_cast<std::size_t>(begin_[rows]));
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for_each([&](int row, const T& entry) {
      if (row < rows) entries_[next[row]++] = entry;
    });
  }

  int rows() const { return static_cast<int>(begin_.size()) - 1; }
  std::span<const T> operator[](int row) const { return std::span(entries_).subspan(begin_[row], size(row)); }
  std::span<T> operator[](int row) { return std::span(entries_).subspan(begin_[row], size(row)); }
  /// The entries of all rows, row by row.
  const std::vector<T>& entries() const { return entries_; }

 private:
  std::size_t size(int row) const { return static_cast<std::size_t>(begin_[row + 1] - begin_[row]); }

  std::vector<int> begin_{0};  // of each row in entries_, plus the end
  std::vector<T> entries_;
};

/// The rows in the order for a kernel with a loop over each: in blocks of 512, short rows first in each. Equal lengths
/// in a row let a core foresee the end of the loop and the threads of a warp reach it together.
template <class Length>
std::vector<int> rows_by_length(int rows, const Length& length) {
  constexpr int block = 512;
  std::vector<int> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  for (int begin = 0; begin < rows; begin += block) {
    std::stable_sort(order.begin() + begin, order.begin() + std::min(rows, begin + block),
                     [&](int a, int b) { return length(a) < length(b); });
  }
  return order;
}

}  // namespace solenoid
