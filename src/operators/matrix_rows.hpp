/// A sparse matrix on the host during assembly: one row per owned entity, columns in local numbers.
#pragma once

#include <vector>

#include "base/real.hpp"

namespace solenoid {

/// Row i: columns column[k] with values value[k], offset[i] <= k < offset[i + 1], ascending in the columns' global ids.
template <class T>
struct RowsOf {
  std::vector<int> offset{0};
  std::vector<int> column;
  std::vector<T> value;

  int rows() const { return static_cast<int>(offset.size()) - 1; }

  /// Entry (i, i) of every row.
  std::vector<T> diagonal() const {
    std::vector<T> values(rows(), 0);
    for (int i = 0; i < rows(); ++i) {
      for (int k = offset[i]; k < offset[i + 1]; ++k) {
        if (column[k] == i) values[i] = value[k];
      }
    }
    return values;
  }
};

using MatrixRows = RowsOf<real>;
using SingleRows = RowsOf<float>;  ///< in single precision

}  // namespace solenoid
