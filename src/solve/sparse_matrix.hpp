/// An assembled sparse matrix on the device, rows shared out over the ranks: sliced ELLPACK.
#pragma once

#include <algorithm>
#include <vector>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

/// The rows as kernels see them. Slices of pack_width rows lie one after the other; within a slice the first entry of
/// each row, then the second of each, and so on, short rows filled up with zeros: neighbouring threads of a GPU and
/// neighbouring lanes of a CPU read neighbouring memory (Monakov, Lokhmotov & Avetisyan 2010, sliced ELLPACK).
template <class L>
struct SparseRows {
  const int* slice;  ///< where each slice begins, in multiples of pack_width entries; one more at the end
  const int* column;
  const real* value;
  real diagonal;  ///< added on the diagonal: 1 where a matrix of unit diagonal stores the rest alone

  /// Sum over row i of value * x[column].
  SOLENOID_HD real times(View<L, const real> x, Index<L> i) const {
    const int lane = i.value % pack_width, end = slice[i.value / pack_width + 1];
    real sum = diagonal * x[i];
    for (int k = slice[i.value / pack_width]; k < end; ++k) {
      const int entry = k * pack_width + lane;
      sum += value[entry] * x[Index<L>{column[entry]}];
    }
    return sum;
  }

  /// The same for a slice of rows together, the first `count` of which there are.
  void times(View<L, const real> x, int of_slice, int count, real (&sum)[pack_width]) const {
    const real* const own = x.data + of_slice * pack_width;
    if (count == pack_width) {
      for (int l = 0; l < pack_width; ++l) sum[l] = diagonal * own[l];
    } else {
      for (int l = 0; l < pack_width; ++l) sum[l] = l < count ? diagonal * own[l] : 0;
    }
    for (int k = slice[of_slice]; k < slice[of_slice + 1]; ++k) {
      const int* const columns = column + k * pack_width;
      const real* const values = value + k * pack_width;
      for (int l = 0; l < pack_width; ++l) sum[l] += values[l] * x.data[columns[l]];
    }
  }
};

/// Square matrix between values at L: a row per owned entity, columns among all local ones.
template <class L>
class SparseMatrix {
 public:
  /// The diagonal of every row stored as given, or 1 on top of what is given.
  enum class Diagonal { stored, unit };
  explicit SparseMatrix(const MatrixRows& rows, Diagonal diagonal = Diagonal::stored);

  SparseRows<L> rows() const {
    return {slice_.data(), column_.data(), value_.data(), real(diagonal_ == Diagonal::unit)};
  }
  int row_count() const { return row_count_; }

  /// Slices by what they gather from: owned entities alone, or halo copies too.
  const DeviceArray<int>& inner_slices() const { return inner_; }
  const DeviceArray<int>& outer_slices() const { return outer_; }

  std::size_t entries() const { return value_.size(); }  ///< stored, with the zeros that fill up short rows

  /// A row's product, for formulas.
  struct Product {
    SparseRows<L> rows;
    View<L, const real> x;
    SOLENOID_HD real operator()(Index<L> i) const { return rows.times(x, i); }
  };

 private:
  Diagonal diagonal_;
  int row_count_;
  DeviceArray<int> slice_, column_, inner_, outer_;
  DeviceArray<real> value_;
};

/// A x as a formula: y = matrix * halo(x).
template <class L>
auto operator*(const SparseMatrix<L>& matrix, const Exchanged<L>& x) {
  return expression::make<L>(typename SparseMatrix<L>::Product{matrix.rows(), x.view()});
}

/// What a kernel over rows does: use(row, product of the row with x). Items are rows, or those of the listed slices.
template <class L, class Use>
struct RowPass {
  SparseRows<L> rows;
  View<L, const real> x;
  int row_count;
  const int* slices;  // none: all
  Use use;

  SOLENOID_HD auto operator()(int item) const {
    const Index<L> i{slices ? slices[item / pack_width] * pack_width + item % pack_width : item};
    using Result = decltype(use(i, real{}));
    return i.value < row_count ? use(i, rows.times(x, i)) : Result();
  }
  template <class Value, class Combine>
  void pack(int first, int, Value* running, const Combine& combine) const {
    const int row = first_row(first), count = std::min(pack_width, row_count - row);
    real product[pack_width];
    rows.times(x, row / pack_width, count, product);
    if (count == pack_width) {
      for (int l = 0; l < pack_width; ++l) running[l] = combine(running[l], use(Index<L>{row + l}, product[l]));
    } else {
      for (int l = 0; l < count; ++l) running[l] = combine(running[l], use(Index<L>{row + l}, product[l]));
    }
  }
  void pack(int first, int) const {
    const int row = first_row(first), count = std::min(pack_width, row_count - row);
    real product[pack_width];
    rows.times(x, row / pack_width, count, product);
    if (count == pack_width) {
      for (int l = 0; l < pack_width; ++l) use(Index<L>{row + l}, product[l]);
    } else {
      for (int l = 0; l < count; ++l) use(Index<L>{row + l}, product[l]);
    }
  }

 private:
  int first_row(int item) const { return slices ? slices[item / pack_width] * pack_width : item; }
};

/// Calls use(row, (A x)_row) for every owned row while x's halo is under way: rows that need none of it come first.
/// `pass(items, kernel)` runs a kernel over that many items, and `last` the one that ends the pass, on every rank.
/// Collective.
template <class L, class Use, class Pass, class Last>
void over_rows(const SparseMatrix<L>& matrix, Field<L>& x, const Use& use, const Pass& pass, const Last& last) {
  const auto source = std::as_const(x).view();
  const int rows = matrix.row_count();
  if (x.mesh().comm().size() == 1) return last(rows, RowPass<L, Use>{matrix.rows(), source, rows, nullptr, use});
  const DeviceArray<int>&inner = matrix.inner_slices(), &outer = matrix.outer_slices();
  Exchange<L> exchange;
  exchange.start(x);
  pass(static_cast<int>(inner.size()) * pack_width, RowPass<L, Use>{matrix.rows(), source, rows, inner.data(), use});
  exchange.finish();
  last(static_cast<int>(outer.size()) * pack_width, RowPass<L, Use>{matrix.rows(), source, rows, outer.data(), use});
}

/// The same for a use that only stores. Collective.
template <class L, class Use>
void over_rows(const SparseMatrix<L>& matrix, Field<L>& x, const Use& use) {
  const auto run = [](int items, const auto& pass) { forall(items, pass); };
  over_rows(matrix, x, use, run, run);
}

/// use(row, product): y = A x.
template <class L>
struct StoreProductAlone {
  View<L> y;
  SOLENOID_HD void operator()(Index<L> i, real product) const { y[i] = product; }
};

/// y = A x, x's halo on its way while rows that need none of it are at work. Collective.
template <class L>
void multiply(const SparseMatrix<L>& matrix, Field<L>& x, Field<L>& y) {
  over_rows(matrix, x, StoreProductAlone<L>{y.view()});
}

}  // namespace solenoid
