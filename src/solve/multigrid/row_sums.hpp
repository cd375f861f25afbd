/// Sums by column for the rows of a sparse product (Gustavson 1978).
#pragma once

#include <vector>

#include "operators/matrix_rows.hpp"

namespace solenoid {

/// One row of sums at a time. No branch on the first visit of a column: it is unpredictable, and would take half of the
/// time.
class RowSums {
 public:
  explicit RowSums(int columns) : sums_(columns), met_(static_cast<std::size_t>(columns) + 1) {}

  void add(int column, double value) { count_ = added(column, value, count_); }
  /// Adds factor times entries [begin, end).
  void add(const std::vector<int>& columns, const std::vector<float>& values, int begin, int end, double factor) {
    int count = count_;
    for (int k = begin; k < end; ++k) count = added(columns[k], factor * static_cast<double>(values[k]), count);
    count_ = count;
  }
  /// Sum in the current row.
  double operator[](int column) const { return sums_[column].value; }
  /// use(column, sum) for the current row, columns in the order of their first visits; then starts the next row.
  template <class Use>
  void finish(const Use& use) {
    for (int k = 0; k < count_; ++k) {
      Sum& sum = sums_[met_[k]];
      use(met_[k], sum.value);
      sum = {};
    }
    count_ = 0;
  }

 private:
  struct Sum {
    double value = 0;
    int is_met = 0;
  };
  /// Returns the new number of visited columns.
  int added(int column, double value, int count) {
    Sum& sum = sums_[column];
    met_[count] = column;
    count += 1 - sum.is_met;
    sum.is_met = 1;
    sum.value += value;
    return count;
  }

  std::vector<Sum> sums_;
  std::vector<int> met_;  // columns of this row, the first `count_` valid
  int count_ = 0;
};

}  // namespace solenoid
