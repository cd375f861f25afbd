/// An assembled sparse matrix on the device, rows shared out over the ranks, behind the LinearOperator face.
#pragma once

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Square matrix between values at L: a row per owned entity (compressed rows), columns among all local ones.
template <class L>
class SparseMatrix {
 public:
  explicit SparseMatrix(const MatrixRows& rows)
      : offset_(rows.offset), column_(rows.column), value_(rows.value), diagonal_(rows.rows()) {
    for (int i = 0; i < rows.rows(); ++i) {
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        if (rows.column[k] == i) diagonal_[i] = rows.value[k];
      }
    }
  }

  /// Sum over a row of value * x[column]; what kernels capture.
  struct Rows {
    const int* offset;
    const int* column;
    const real* value;
    SOLENOID_HD real times(View<L, const real> x, Index<L> i) const {
      real sum = 0;
      for (int k = offset[i.value]; k < offset[i.value + 1]; ++k) sum += value[k] * x[Index<L>{column[k]}];
      return sum;
    }
  };
  Rows rows() const { return {offset_.data(), column_.data(), value_.data()}; }
  std::vector<real> diagonal_to_host() const { return diagonal_; }

  struct Product {
    Rows rows;
    View<L, const real> x;
    SOLENOID_HD real operator()(Index<L> i) const { return rows.times(x, i); }
  };

 private:
  DeviceArray<int> offset_, column_;
  DeviceArray<real> value_;
  std::vector<real> diagonal_;
};

/// A x as a formula: y = matrix * halo(x).
template <class L>
auto operator*(const SparseMatrix<L>& matrix, const Exchanged<L>& x) {
  return expression::make<L>(typename SparseMatrix<L>::Product{matrix.rows(), x.view()});
}

}  // namespace solenoid
